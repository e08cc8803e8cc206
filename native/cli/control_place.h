/* SPDX-License-Identifier: MIT */
/* Where a trace is to be written. */
#ifndef NFTRACE_NATIVE_CLI_CONTROL_PLACE_H
#define NFTRACE_NATIVE_CLI_CONTROL_PLACE_H

#include <limits.h>

/*
 * The absolute path of a folder for a new trace: @output if that isn't NULL,
 * else one called @name below $LTTNG_HOME/lttng-traces or ~/lttng-traces. It is
 * empty or doesn't exist. Returns 0, or -1 after saying on stderr why not.
 */
int cli_place_choose(const char *output, const char *name,
		     char folder[static PATH_MAX]);

#endif /* NFTRACE_NATIVE_CLI_CONTROL_PLACE_H */
