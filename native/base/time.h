/* SPDX-License-Identifier: MIT */
/* Times as Bunyan writes them, which is as JavaScript's toISOString() does. */
#ifndef NFTRACE_NATIVE_BASE_TIME_H
#define NFTRACE_NATIVE_BASE_TIME_H

#include <stdint.h>

#include "base/text.h"

#define BASE_TIME_MS_PER_SECOND 1000
#define BASE_TIME_NS_PER_MS	1000000
/* The farthest a JavaScript Date reaches from the epoch, either way. ms. */
#define BASE_TIME_MAX_MS INT64_C(8640000000000000)

/* The text of the last second written: most records share theirs. */
struct base_time {
	int64_t second; /* since the Unix epoch */
	size_t size;	/* 0: none yet */
	char text[32];	/* up to the point before the fraction */
};

/*
 * Appends a JSON value for @ms since the Unix epoch: an ISO 8601 string in UTC;
 * a number, as base_text_integer() gives it, for a time that no Date holds.
 */
void base_time_append(struct base_time *time, struct base_text *text,
		      int64_t ms);

/* The same for @ns since the Unix epoch, with nine digits of the second. */
void base_time_append_ns(struct base_time *time, struct base_text *text,
			 int64_t ns);

/* @ns in ms, rounded down. */
int64_t base_time_ms(int64_t ns);

#endif /* NFTRACE_NATIVE_BASE_TIME_H */
