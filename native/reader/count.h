/* SPDX-License-Identifier: MIT */
/* How many records a trace holds. */
#ifndef NFTRACE_NATIVE_READER_COUNT_H
#define NFTRACE_NATIVE_READER_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct reader_record_count {
	uint64_t records; /* events of the provider "bunyan" */
	uint64_t others;  /* of the kernel and of other providers */

	/*
	 * Called about every 10,000 events; true ends the count. May be NULL.
	 */
	bool (*interrupted)(void *data);
	void *data; /* weak; for interrupted() */
};

/*
 * Counts the events of every trace below @path by reading them. A folder
 * without traces, or none at all, counts as empty: LTTng makes it with the
 * first event. Returns 0; or -EINTR when interrupted, or -EIO when something
 * can't be read, after printing what: the counts are of what was read then.
 */
int reader_record_count(const char *path, struct reader_record_count *count);

#endif /* NFTRACE_NATIVE_READER_COUNT_H */
