// SPDX-License-Identifier: MIT
/* The tracepoints of twin.h, and one call for them; see records.h. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "twin.h"

#include "records.h"

void fire_twin(const struct nft_bunyan_record *record)
{
#define FIRE(event)                                                      \
	lttng_ust_tracepoint(bunyan, event, record->level, record->time, \
			     record->name.data, record->hostname.data,   \
			     record->pid, record->msg.data,              \
			     record->fields.data)
	switch (nft_bunyan_level(record->level)) {
	case NFT_BUNYAN_TRACE:
		FIRE(trace);
		break;
	case NFT_BUNYAN_DEBUG:
		FIRE(debug);
		break;
	case NFT_BUNYAN_INFO:
		FIRE(info);
		break;
	case NFT_BUNYAN_WARN:
		FIRE(warn);
		break;
	case NFT_BUNYAN_ERROR:
		FIRE(error);
		break;
	default:
		FIRE(fatal);
	}
#undef FIRE
}
