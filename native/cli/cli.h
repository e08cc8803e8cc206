/* SPDX-License-Identifier: MIT */
/* What the commands of nftrace share: exit codes and how they speak. */
#ifndef NFTRACE_NATIVE_CLI_CLI_H
#define NFTRACE_NATIVE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
 * Prints what fprintf() would, made safe for a terminal. Names, paths, and the
 * messages of other programs are not ours: whatever bytes they hold, none of
 * them moves the cursor, begins a line, turns text around or goes unseen. Each
 * unseen character (see base/utf8.h) and each byte that isn't UTF-8 comes out
 * as an escape: \n, \x1b, \u202e, \u{e0041}; a byte \xff. Text that is safe stays
 * as it is, so that it may be printed twice.
 *
 * A line feed at the end of @format ends the line. Any other one is taken for a
 * part of somebody's text: print several lines by several calls.
 */
void cli_print(FILE *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Prints "nftrace: " and a message, without a full stop, as a line on stderr; as
 * safe as cli_print().
 */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints a line on stdout that a program is to read, such as a path: to a program
 * as it is, to a terminal as safe as cli_print(). Returns 0, or -1 with errno set.
 */
int cli_give(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The columns that @size bytes of @text take, as cli_print() prints them. */
size_t cli_width(const char *text, size_t size);

/*
 * Shows, on a terminal, how far something has come, in place of what was shown
 * before. Does nothing if stderr is no terminal, or one that obeys no escape
 * sequences (TERM is unset or "dumb").
 */
void cli_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether cli_show() shows anything. */
bool cli_can_show(void);

/* Takes off what is shown; cli_error() does as well. */
void cli_hide(void);

#endif /* NFTRACE_NATIVE_CLI_CLI_H */
