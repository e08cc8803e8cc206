/* SPDX-License-Identifier: MIT */
/* A record's time, as text. */
#ifndef NFTRACE_NATIVE_BASE_DATE_H
#define NFTRACE_NATIVE_BASE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/* The range of a JavaScript Date, to both sides of the epoch. Milliseconds. */
#define BASE_TIME_MAX INT64_C(8640000000000000)

/* Milliseconds since the Unix epoch. */
int64_t base_time_now(void);

/*
 * Reads a time in ECMAScript's format: a date (YYYY, YYYY-MM, YYYY-MM-DD, or
 * with a year of a sign and six digits), alone (UTC) or with a time
 * (THH:mm, :ss, .sss) in UTC (Z), with an offset (±HH:mm), or local.
 *
 * Returns whether it is one; then *@ms, milliseconds since the Unix epoch, and
 * *@exact, whether Date.prototype.toISOString() would write it just so.
 */
bool base_time_parse(struct base_slice text, int64_t *ms, bool *exact);

#endif /* NFTRACE_NATIVE_BASE_DATE_H */
