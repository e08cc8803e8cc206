/* SPDX-License-Identifier: MIT */
/* Options that `nftrace read` and `nftrace tail` have in common. */
#ifndef NFTRACE_NATIVE_CLI_READ_OPTIONS_H
#define NFTRACE_NATIVE_CLI_READ_OPTIONS_H

#include <stdbool.h>

#include <popt.h>

#include "cli/options.h"
#include "reader/record.h"

/* As they stand on the command line. Zeroed: none was given. */
struct cli_read_options {
	int all;
	int context;
	char *level; /* owned, as the next one */
	char *name;
};

/* Entries of a popt table that fill a struct cli_read_options. */
#define CLI_READ_OPTIONS(options)                                              \
	CLI_LEVEL_OPTION(&(options)->level), { "name",                         \
					       'n',                            \
					       POPT_ARG_STRING,                \
					       &(options)->name,               \
					       0,                              \
					       NULL,                           \
					       NULL },                         \
		{ "all", 'a', POPT_ARG_NONE, &(options)->all, 0, NULL, NULL }, \
	{                                                                      \
		"context", 'c', POPT_ARG_NONE, &(options)->context, 0, NULL,   \
			NULL                                                   \
	}

/*
 * Sets what of @record is told by @options. Returns false, after printing why,
 * if that is wrong. record->filter.name is options->name then.
 */
bool cli_read_options(const struct cli_read_options *options,
		      struct reader_record_options *record);

void cli_read_options_free(struct cli_read_options *options);

#endif /* NFTRACE_NATIVE_CLI_READ_OPTIONS_H */
