/* SPDX-License-Identifier: MIT */
/* What traces' indexes tell before they are read. */
#ifndef NFTRACE_NATIVE_CLI_READER_CHECK_H
#define NFTRACE_NATIVE_CLI_READER_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader_source.h"

struct reader_check {
	uint64_t nr_packets; /* as far as there are indexes */
	uint64_t nr_streams;
	uint64_t nr_late; /* of those: they lack their first packets */
	bool is_partial;  /* packets are missing at an end; printed where */
	bool is_damaged;  /* some index, or some packet: it isn't one */
};

/*
 * Adds what the indexes of a source's folders tell. Returns false without
 * memory.
 */
bool reader_check_source(struct reader_check *check,
			 const struct reader_source *source);

#endif /* NFTRACE_NATIVE_CLI_READER_CHECK_H */
