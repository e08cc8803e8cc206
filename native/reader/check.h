/* SPDX-License-Identifier: MIT */
/* What traces' packets and indexes tell before they are read. */
#ifndef NFTRACE_NATIVE_READER_CHECK_H
#define NFTRACE_NATIVE_READER_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/repair.h"
#include "reader/source.h"

struct reader_check {
	uint64_t nr_packets; /* of LTTng's streams */
	uint64_t nr_streams;
	uint64_t nr_late; /* of those: they lack their first packets */
	bool is_partial;  /* packets or files can't be read; printed which */
	bool is_damaged;  /* some index, or some packet: it isn't one */
};

/*
 * Adds what is in a source's folders, some of which may be stand-ins among
 * @repairs. Returns 0 or -ENOMEM.
 */
int reader_check_source(struct reader_check *check,
			const struct reader_source *source,
			const struct reader_repairs *repairs);

#endif /* NFTRACE_NATIVE_READER_CHECK_H */
