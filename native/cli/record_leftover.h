/* SPDX-License-Identifier: MIT */
/* Sessions of `nftrace record`: their names, and those that were left open. */
#ifndef NFTRACE_NATIVE_CLI_RECORD_LEFTOVER_H
#define NFTRACE_NATIVE_CLI_RECORD_LEFTOVER_H

#include <lttng/constant.h>

/* A name for a session of this process, by which its leftovers are found. */
void cli_leftover_name(char name[static LTTNG_NAME_MAX]);

/*
 * Says on stderr how to close each session of an `nftrace record` that has
 * ended without closing it, as one that was killed.
 */
void cli_leftover_report(void);

#endif /* NFTRACE_NATIVE_CLI_RECORD_LEFTOVER_H */
