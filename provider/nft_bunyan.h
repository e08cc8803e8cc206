/* SPDX-License-Identifier: MIT */
/*
 * The `bunyan` provider: one event per Bunyan level, each with the flat part
 * of a record and the rest as JSON text.
 *
 *	event		record level	LTTng log level
 *	bunyan:fatal	60 and above	TRACE_CRIT
 *	bunyan:error	50 to 59	TRACE_ERR
 *	bunyan:warn	40 to 49	TRACE_WARNING
 *	bunyan:info	30 to 39	TRACE_INFO
 *	bunyan:debug	20 to 29	TRACE_DEBUG_SYSTEM
 *	bunyan:trace	below 20	TRACE_DEBUG
 */
#ifndef NFTRACE_PROVIDER_NFT_BUNYAN_H
#define NFTRACE_PROVIDER_NFT_BUNYAN_H

#include "nft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The six events; also indices into struct nft_bunyan's array. */
enum nft_bunyan_level {
	NFT_BUNYAN_TRACE,
	NFT_BUNYAN_DEBUG,
	NFT_BUNYAN_INFO,
	NFT_BUNYAN_WARN,
	NFT_BUNYAN_ERROR,
	NFT_BUNYAN_FATAL,
	NFT_BUNYAN_NR_LEVELS,
};

struct nft_bunyan {
	struct nft_event *events[NFT_BUNYAN_NR_LEVELS];
};

/* A record; the event's payload in its order. */
struct nft_bunyan_record {
	int32_t level;
	int64_t time; /* milliseconds since the Unix epoch */
	struct nft_string name;
	struct nft_string hostname;
	int32_t pid;
	struct nft_string msg;
	struct nft_string fields; /* a JSON object */
};

/*
 * The most bytes that a record's payload takes beside those of its strings: its
 * numbers, the NULs of four strings, and the spaces for three that are empty.
 */
#define NFT_BUNYAN_FIXED_BYTES \
	(2 * sizeof(int32_t) + sizeof(int64_t) + 7 * sizeof(char))

/*
 * Opens the provider: the first call registers the six events, later ones give
 * the same. Never closed. Returns 0 and *@bunyan, or a negative error of
 * nft_provider_create() or nft_provider_enable().
 */
int nft_bunyan_open(const struct nft_bunyan **bunyan);

/* The event that carries records of a level. */
static inline enum nft_bunyan_level nft_bunyan_level(int32_t level)
{
	if (level < 20)
		return NFT_BUNYAN_TRACE;
	if (level >= 60)
		return NFT_BUNYAN_FATAL;
	return (enum nft_bunyan_level)(level / 10 - 1);
}

/*
 * Records @record with the event of its level. Bytes after a NUL inside one of
 * its strings are left out, and an empty name, hostname or msg is recorded as one
 * space (babeltrace2 2.0.4 misreads empty strings); as nft_fire() otherwise.
 */
void nft_bunyan_fire(const struct nft_bunyan *bunyan,
		     const struct nft_bunyan_record *record);

#ifdef __cplusplus
}
#endif

#endif /* NFTRACE_PROVIDER_NFT_BUNYAN_H */
