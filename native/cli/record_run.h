/* SPDX-License-Identifier: MIT */
/* The time of a recording: a command's life, or until the user ends it. */
#ifndef NFTRACE_NATIVE_CLI_RECORD_RUN_H
#define NFTRACE_NATIVE_CLI_RECORD_RUN_H

#include <stdbool.h>

/*
 * From here on SIGINT, SIGTERM and, unless it is ignored, SIGHUP wait for the
 * functions below, and writing to a closed pipe is an error, not a signal.
 * Returns 0, or -1 after saying why.
 */
int cli_run_hold_signals(void);

/*
 * Runs a command with our stdin, stdout and stderr until it ends. A signal that
 * another process sends us is passed on to it; Ctrl-C reaches it from the
 * terminal. @argv: the command, ends with NULL. Returns what a shell would:
 * its exit status, 128 + the signal that ended it, 127 if there is no such
 * command, 126 if it can't be run (both said on stderr, *@started is false).
 */
int cli_run_command(char **argv, bool *started);

/* Returns when a held signal comes. */
void cli_run_until_signal(void);

/* Waits for at most @milliseconds. Returns whether a held signal came. */
bool cli_run_interrupted(int milliseconds);

#endif /* NFTRACE_NATIVE_CLI_RECORD_RUN_H */
