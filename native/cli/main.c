// SPDX-License-Identifier: MIT
/* The nftrace command: finds and runs one of its commands. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "cli/cli.h"

#ifndef NFTRACE_VERSION
#error "build with -DNFTRACE_VERSION=\"...\""
#endif

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "record", cli_record, "record a service into a trace" },
	{ "read", cli_read, "print traces as Bunyan lines" },
	{ "tail", cli_tail, "print records as they are made" },
	{ "snapshot", cli_snapshot, "keep the last moments in memory" },
	{ "status", cli_status, "what can be traced, and what is" },
	{ "pipe", cli_pipe, "turn log lines on stdin into events" },
};

/*
 * liblttng-ctl's switch, of 2.13 to 2.16, for what it says by itself on stderr:
 * the same as we do, but with the bytes of others as they are. No header has it.
 */
extern int lttng_opt_quiet __attribute__((weak));

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *file)
{
	(void)fputs("Usage: nftrace COMMAND [OPTION…]\n"
		    "       nftrace help COMMAND\n"
		    "       nftrace --version\n\n"
		    "Bunyan records through LTTng. Commands:\n",
		    file);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		(void)fprintf(file, "  %-10s %s\n", commands[i].name,
			      commands[i].summary);
	(void)fputs("\nSee also nftrace(1), lttng(1), babeltrace2(1).\n", file);
}

static int run(const char *name, int argc, char **argv)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].run(argc, argv);
	cli_error("no command \"%s\"; see nftrace --help", name);
	return CLI_USAGE;
}

static void print_report(const char *text)
{
	cli_error("%s", text);
}

int main(int argc, char **argv)
{
	base_report_to(print_report);
	/* Where it is ignored, nobody could wait for a process. */
	(void)signal(SIGCHLD, SIG_DFL);
	if (&lttng_opt_quiet)
		lttng_opt_quiet = 1;
	if (argc < 2) {
		print_help(stderr);
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		(void)puts("nftrace " NFTRACE_VERSION);
		return CLI_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    (!strcmp(argv[1], "help") && argc == 2)) {
		print_help(stdout);
		return CLI_OK;
	}
	if (!strcmp(argv[1], "help")) {
		char *help[] = { argv[2], "--help", NULL };

		return run(argv[2], 2, help);
	}
	return run(argv[1], argc - 1, argv + 1);
}
