/* SPDX-License-Identifier: MIT */
/* Bunyan's levels for the command: their names, events and LTTng's log levels. */
#ifndef NFTRACE_NATIVE_BASE_LEVEL_H
#define NFTRACE_NATIVE_BASE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>
#include <lttng/event.h>
#include <nft_bunyan.h>

struct base_level {
	const char *name;  /* "info" */
	const char *event; /* "bunyan:info" */
	const char *text;  /* "30" */
	int32_t number;
	enum lttng_loglevel loglevel;
};

/* Least severe first; the indices are those of enum nft_bunyan_level. */
extern const struct base_level base_levels[NFT_BUNYAN_NR_LEVELS];

/* What all names of such events begin with, and a pattern for them. */
#define BASE_LEVEL_EVENT_PREFIX	 NFT_BUNYAN_PROVIDER ":"
#define BASE_LEVEL_EVENT_PATTERN BASE_LEVEL_EVENT_PREFIX "*"

/* The level that a name is for, in either case; NULL if there is none. */
const struct base_level *base_level_named(const char *name);

/*
 * Finds the log level that lets a Bunyan level and those above it through.
 * @text: a name (trace … fatal, in any case) or a number (10 to 60 in tens).
 * Returns false when it is neither.
 */
bool base_level_parse(const char *text, enum lttng_loglevel *level);

/* The same for any number that a record can have as its level. */
enum lttng_loglevel base_level_of(int32_t level);

/* Whether an event of this name is one of the provider's. */
bool base_level_is_event(const char *name);

#endif /* NFTRACE_NATIVE_BASE_LEVEL_H */
