/* SPDX-License-Identifier: MIT */
/* Which records are wanted: by level, name and time. */
#ifndef NFTRACE_NATIVE_BASE_GLOB_H
#define NFTRACE_NATIVE_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_filter {
	int32_t level;	  /* the lowest that is wanted */
	const char *name; /* weak; a glob, or NULL for any name */
	int64_t begin;	  /* ms since the Unix epoch; the first and the */
	int64_t end;	  /* last that are wanted */
};

/* Wants everything. */
#define BASE_FILTER_ALL                                                  \
	{                                                                \
		.level = INT32_MIN, .begin = INT64_MIN, .end = INT64_MAX \
	}

/* Whether @filter wants times from @begin to @end, in ms since the epoch. */
static inline bool base_filter_time(const struct base_filter *filter,
				    int64_t begin, int64_t end)
{
	return end >= filter->begin && begin <= filter->end;
}

/*
 * Whether @glob matches all of a text of @size bytes, by LTTng's rules: `*`
 * stands for any bytes, a backslash takes the next byte as it is, and nothing
 * else is special.
 */
bool base_filter_glob(const char *glob, const char *text, size_t size);

/*
 * The number of a Bunyan level: a name in either case, or a decimal number.
 * Returns false if @text is neither.
 */
bool base_filter_level(const char *text, int32_t *level);

#endif /* NFTRACE_NATIVE_BASE_GLOB_H */
