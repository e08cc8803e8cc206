/* SPDX-License-Identifier: MIT */
/* How every command goes through its command line. */
#ifndef NFTRACE_NATIVE_CLI_OPTIONS_H
#define NFTRACE_NATIVE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <lttng/event.h>
#include <popt.h>

struct cli_command {
	const char *name;
	const char *help; /* what --help prints */
	/* What follows the first argument is another command's command line. */
	bool runs_another;
};

/* The entry for --help. */
#define CLI_HELP_OPTION                                                      \
	{                                                                    \
		"help", 'h', POPT_ARG_NONE, NULL, CLI_HELP_VALUE, NULL, NULL \
	}
#define CLI_HELP_VALUE 'h'

/* The entry for --level; @text: char *, owned, for one of the functions below. */
#define CLI_LEVEL_OPTION(text)                                       \
	{                                                            \
		"level", 'l', POPT_ARG_STRING, (text), 0, NULL, NULL \
	}

/*
 * Goes through the options in @table, which store what they are given and return
 * nothing, but for CLI_HELP_OPTION. Returns a context that has the arguments, and
 * which the caller frees; or NULL and in *@status what the command is to end with,
 * after printing @command's help or what is wrong.
 */
poptContext cli_parse(const struct cli_command *command,
		      const struct poptOption *table, int argc, char **argv,
		      int *status);

/*
 * Whether there are arguments that @command doesn't take; prints that they are
 * wrong.
 */
bool cli_has_more(poptContext context, const struct cli_command *command);

/*
 * Sets *@level to the least number that records are to have; leaves it as it is if
 * @text is NULL: --level was not given. Prints what is wrong, and returns false.
 */
bool cli_level_number(const char *text, int32_t *level);

/* The same for LTTng's log levels, of which there is one for each of Bunyan's names. */
bool cli_level_event(const char *text, enum lttng_loglevel *level);

#endif /* NFTRACE_NATIVE_CLI_OPTIONS_H */
