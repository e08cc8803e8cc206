/* SPDX-License-Identifier: MIT */
/* What the commands of nftrace share: exit codes and how they speak. */
#ifndef NFTRACE_NATIVE_CLI_CLI_H
#define NFTRACE_NATIVE_CLI_CLI_H

/* Exit codes; documented in nftrace(1). */
enum cli_exit {
	CLI_OK = 0,
	CLI_FAILED = 1, /* said why on stderr; what could be done was done */
	CLI_USAGE = 2,	/* the command line is wrong */
	CLI_LOST = 3,	/* with --lost-fails: records were lost */
};

/*
 * A command: runs with argv[0] being its own name, returns an exit code.
 * Each parses its options with popt and answers --help.
 */
int cli_read(int argc, char **argv);
int cli_tail(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_snapshot(int argc, char **argv);
int cli_status(int argc, char **argv);
int cli_pipe(int argc, char **argv);

/*
 * Prints "nftrace: " and a message, without a full stop, as a line on stderr;
 * control characters in it, but for line feeds and tabs, as "?".
 */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* NFTRACE_NATIVE_CLI_CLI_H */
