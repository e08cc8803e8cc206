/* SPDX-License-Identifier: MIT */
/* Options that `nftrace read` and `nftrace tail` have in common. */
#ifndef NFTRACE_NATIVE_CLI_READ_OPTIONS_H
#define NFTRACE_NATIVE_CLI_READ_OPTIONS_H

#include <stdbool.h>

#include <popt.h>

#include "reader/record.h"

/* As they stand on the command line. Zeroed: none was given. */
struct cli_read_options {
	int all;
	int context;
	char *level; /* owned, as the next one */
	char *name;
};

/* Entries of a popt table that fill a struct cli_read_options. */
#define CLI_READ_OPTIONS(options)                                                  \
	{ "level", 'l', POPT_ARG_STRING, &(options)->level, 0, NULL, NULL },       \
		{ "name", 'n', POPT_ARG_STRING, &(options)->name, 0, NULL, NULL }, \
		{ "all", 'a', POPT_ARG_NONE, &(options)->all, 0, NULL, NULL },     \
	{                                                                          \
		"context", 'c', POPT_ARG_NONE, &(options)->context, 0, NULL,       \
			NULL                                                       \
	}

/* The entry for --help, which poptGetNextOpt() returns as 'h'. */
#define CLI_HELP_OPTION                                           \
	{                                                         \
		"help", 'h', POPT_ARG_NONE, NULL, 'h', NULL, NULL \
	}

/*
 * Sets what of @record is told by @options. Returns false, after printing why,
 * if that is wrong. record->filter.name is options->name then.
 */
bool cli_read_options(const struct cli_read_options *options,
		      struct reader_record_options *record);

void cli_read_options_free(struct cli_read_options *options);

/*
 * Goes through the options; stores are made by @context. Prints what is wrong,
 * or @help, and returns false and what
 * the command is to end with.
 */
bool cli_parse(poptContext context, const char *command, const char *help,
	       int *status);

#endif /* NFTRACE_NATIVE_CLI_READ_OPTIONS_H */
