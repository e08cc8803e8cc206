/* SPDX-License-Identifier: MIT */
/* Times as people give them on a command line. */
#ifndef NFTRACE_NATIVE_CLI_READ_TIME_H
#define NFTRACE_NATIVE_CLI_READ_TIME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads "2026-11-30T08:53:44.428Z", also with a space for the T, "+01:00" for
 * the Z or nothing, for local time; without seconds or their fraction, or only
 * the date; "08:53:44", today; "@1796028824.428", seconds since the epoch.
 * Gives ms since the Unix epoch, finer digits left out. Returns false if @text
 * is nothing of these.
 */
bool cli_read_time(const char *text, int64_t *ms);

/*
 * Reads "5ms": digits, maybe with a fraction, and ns, us (or µs), ms, s or m.
 * Gives ns. Returns false if @text isn't that, or is more than a day.
 */
bool cli_read_duration(const char *text, int64_t *ns);

#endif /* NFTRACE_NATIVE_CLI_READ_TIME_H */
