/* SPDX-License-Identifier: MIT */
/* The options that choose what a session records, and in which buffers. */
#ifndef NFTRACE_NATIVE_CLI_SELECT_H
#define NFTRACE_NATIVE_CLI_SELECT_H

#include <popt.h>

#include "session/session.h"

/* The values that popt gives for the options below; others are above. */
enum cli_select_option {
	CLI_SELECT_LEVEL = 1,
	CLI_SELECT_BUFFERS,
	CLI_SELECT_END,
};

/* All zeros at first; see cli_select_free(). */
struct cli_select {
	char **names;	  /* owned; ends with NULL; NULL: none */
	char *expression; /* owned */
	char *filter;	  /* owned; made of the two */
};

/* Entries of a table for popt: --level, --name, --filter, --buffers. */
#define CLI_SELECT_OPTIONS(select)                                               \
	{ "level", 'l', POPT_ARG_STRING, NULL, CLI_SELECT_LEVEL, NULL, NULL },   \
		{ "name", 'n', POPT_ARG_ARGV, &(select)->names, 0, NULL, NULL }, \
		{ "filter", 'f', POPT_ARG_STRING, &(select)->expression, 0,      \
		  NULL,	    NULL },                                              \
	{                                                                        \
		"buffers", 'b', POPT_ARG_STRING, NULL, CLI_SELECT_BUFFERS,       \
			NULL, NULL                                               \
	}

/*
 * Takes the option that popt has just come to, if it is one of these, into a
 * plan. Returns 0, or an exit code after saying what is wrong.
 */
int cli_select_take(poptContext context, int option, struct session_plan *plan);

/*
 * Sets the plan's filter from all names and the expression. Returns 0, or an
 * exit code after saying what is wrong. The filter is @select's.
 */
int cli_select_finish(struct cli_select *select, struct session_plan *plan);

/* Frees what it owns. */
void cli_select_free(struct cli_select *select);

/*
 * Says what popt refuses: @option is its error, or 0 if arguments are left over
 * that @command takes none of.
 */
void cli_select_refuse(poptContext context, const char *command, int option);

#endif /* NFTRACE_NATIVE_CLI_SELECT_H */
