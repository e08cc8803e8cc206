/* SPDX-License-Identifier: MIT */
/* The option --around of `nftrace read`. */
#ifndef NFTRACE_NATIVE_CLI_READ_AROUND_H
#define NFTRACE_NATIVE_CLI_READ_AROUND_H

#include <stdbool.h>

#include "around/around.h"
#include "reader/sink.h"

/* As it stands on the command line: NULL, both, if it isn't there. */
struct cli_around_option {
	const char *expression; /* weak */
	const char *duration;	/* weak */
};

/* Zeroed: there is none. */
struct cli_around {
	struct around around;
	struct reader_consumer consumer;
};

/*
 * Takes the option with both of its arguments out of @argv, up to a "--": popt's
 * options have but one. Returns false, after printing why, if some is missing.
 */
bool cli_around_parse(int *argc, char **argv, struct cli_around_option *option);

/*
 * Makes @sink, whose record options are set, print what the option asks for.
 * Returns false, after printing why, if its arguments are wrong.
 */
bool cli_around_open(struct cli_around *around,
		     const struct cli_around_option *option,
		     struct reader_sink *sink);

/* Brings the last lines to the sink. Returns false, after printing why. */
bool cli_around_end(struct cli_around *around);

/* Says what a reader of the output should know. */
void cli_around_report(const struct cli_around *around);

void cli_around_close(struct cli_around *around);

#endif /* NFTRACE_NATIVE_CLI_READ_AROUND_H */
