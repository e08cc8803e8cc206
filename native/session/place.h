/* SPDX-License-Identifier: MIT */
/* Where a trace is to be written. */
#ifndef NFTRACE_NATIVE_SESSION_PLACE_H
#define NFTRACE_NATIVE_SESSION_PLACE_H

#include <limits.h>

/*
 * The absolute path of a folder for a new trace: @output if that isn't NULL,
 * else one called @name below $LTTNG_HOME/lttng-traces or ~/lttng-traces. Makes
 * it, or finds it empty and not in the hands of another user. Returns 0, or a
 * negative errno after saying why not.
 */
int session_place_choose(const char *output, const char *name,
			 char folder[static PATH_MAX]);

/*
 * Removes the folder again, if session_place_choose() has made it and nothing is in
 * it: there is no trace after all.
 */
void session_place_discard(void);

#endif /* NFTRACE_NATIVE_SESSION_PLACE_H */
