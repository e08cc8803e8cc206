/* SPDX-License-Identifier: MIT */
/* The options that choose what a session records, and in which buffers. */
#ifndef NFTRACE_NATIVE_CLI_SELECT_H
#define NFTRACE_NATIVE_CLI_SELECT_H

#include <popt.h>

#include "cli/options.h"
#include "session/session.h"

/* All zeros at first; see cli_select_free(). */
struct cli_select {
	char *level;  /* owned, as all of them; NULL: not given */
	char **names; /* ends with NULL */
	char *expression;
	char *buffers;
	char *filter; /* made of the names and the expression */
};

/* Entries of a table for popt: --level, --name, --filter, --buffers. */
#define CLI_SELECT_OPTIONS(select)                                            \
	CLI_LEVEL_OPTION(&(select)->level), { "name",                         \
					      'n',                            \
					      POPT_ARG_ARGV,                  \
					      &(select)->names,               \
					      0,                              \
					      NULL,                           \
					      NULL },                         \
		{ "filter", 'f', POPT_ARG_STRING, &(select)->expression, 0,   \
		  NULL,	    NULL },                                           \
	{                                                                     \
		"buffers", 'b', POPT_ARG_STRING, &(select)->buffers, 0, NULL, \
			NULL                                                  \
	}

/*
 * Sets what of the plan is told by @select, whose filter it then uses. Returns 0, or
 * an exit code after saying what is wrong.
 */
int cli_select_plan(struct cli_select *select, struct session_plan *plan);

/* Frees what it owns. */
void cli_select_free(struct cli_select *select);

#endif /* NFTRACE_NATIVE_CLI_SELECT_H */
