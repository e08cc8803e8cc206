/* SPDX-License-Identifier: MIT */
/* What a `nftrace tail` that was killed leaves behind: a relay daemon's folder. */
#ifndef NFTRACE_NATIVE_CLI_TAIL_LEFTOVER_H
#define NFTRACE_NATIVE_CLI_TAIL_LEFTOVER_H

#include <sys/types.h>

/* What the folders' names begin with. */
#define CLI_LEFTOVER_PREFIX "nftrace-tail-"

/*
 * Marks @folder, of the relay daemon @pid, as in use for as long as this process
 * lives. Returns a file descriptor to close when it isn't any longer; -1, with
 * errno, if that failed.
 */
int cli_leftover_mark(const char *folder, pid_t pid);

/* Ends the relay daemons of folders that aren't in use, and removes these. */
void cli_leftover_remove(void);

#endif /* NFTRACE_NATIVE_CLI_TAIL_LEFTOVER_H */
