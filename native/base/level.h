/* SPDX-License-Identifier: MIT */
/* Bunyan's level names as LTTng's log levels. */
#ifndef NFTRACE_NATIVE_BASE_LEVEL_H
#define NFTRACE_NATIVE_BASE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>
#include <lttng/event.h>

/*
 * Finds the log level that lets a Bunyan level and those above it through.
 * @text: a name (trace … fatal, in any case) or a number (10 to 60 in tens).
 * Returns false when it is neither.
 */
bool base_level_parse(const char *text, enum lttng_loglevel *level);

/* The same for any number that a record can have as its level. */
enum lttng_loglevel base_level_of(int32_t level);

#endif /* NFTRACE_NATIVE_BASE_LEVEL_H */
