// SPDX-License-Identifier: MIT
/* nftrace status: what can be traced, and what is. */
#include <stdio.h>
#include <string.h>
#include <popt.h>

#include "base/level.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "session/collect.h"
#include "cli/status_json.h"

/* clang-format off */
static const char help[] =
	"Usage: nftrace status [--json]\n"
	"\n"
	"Prints which LTTng session daemons answer, and why others don't; versions; which\n"
	"sessions record which Bunyan levels now; and which processes offer the events\n"
	"bunyan:*, that is, have loaded nftrace.\n"
	"\n"
	"  -j, --json            the same as a JSON object\n"
	"  -h, --help            this text\n"
	"\n"
	"The object has: version; contract, the version of the events that this command\n"
	"reads and writes; ust {available, reason}; daemons [{owner, socket, answers,\n"
	"used, pid, version, reason}]; levels {trace … fatal: names of the sessions that\n"
	"record it now}; sessions [{name, path, active, snapshot, live, rules [{event,\n"
	"channel, enabled, levels, filter}]}]; processes [{pid, name, levels}]; error.\n"
	"Unknown values are null. A level counts as recorded even if a session's filter\n"
	"rejects its records, or if lttng track excludes a process.\n"
	"\n"
	"Exit status: 0; 1 if no session daemon answers, or this process cannot load\n"
	"LTTng-UST; 2 if the command line is wrong.\n";
/* clang-format on */

static void print_daemon(const struct session_daemon_status *daemon)
{
	cli_print(stdout, "%s session daemon: ",
		  strcmp(daemon->owner, "root") != 0 ? "this user's"
						     : "root's");
	if (!daemon->answers) {
		cli_print(stdout, "no answer\n");
		cli_print(stdout, "  %s\n", daemon->why_not);
		return;
	}
	cli_print(stdout, "answers");
	if (daemon->pid)
		cli_print(stdout, ", process %d", (int)daemon->pid);
	if (daemon->version)
		cli_print(stdout, ", LTTng %s", daemon->version);
	cli_print(stdout, "%s\n", daemon->used ? ", used here" : "");
}

static void print_levels(const bool levels[NFT_BUNYAN_NR_LEVELS])
{
	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++)
		if (levels[i])
			cli_print(stdout, " %s", base_levels[i].name);
}

static void print_session(const struct session_status *session)
{
	cli_print(stdout, "  %s: %s%s%s\n", session->name,
		  session->active ? "recording" : "stopped",
		  session->snapshot ? ", snapshots" : "",
		  session->live ? ", live" : "");
	if (*session->path)
		cli_print(stdout, "    to %s\n", session->path);
	if (!session->nr_rules)
		cli_print(stdout,
			  "    no " BASE_LEVEL_EVENT_PATTERN " events\n");
	for (size_t i = 0; i < session->nr_rules; i++) {
		const struct session_rule *rule = &session->rules[i];

		cli_print(stdout, "    %s:", rule->event);
		print_levels(rule->levels);
		if (!rule->enabled)
			cli_print(stdout, " (disabled)");
		if (rule->filter)
			cli_print(stdout, ", if %s", rule->filter);
		cli_print(stdout, "\n");
	}
}

static void print_processes(const struct session_overview *status)
{
	if (!status->nr_processes) {
		(void)fputs("processes that offer " BASE_LEVEL_EVENT_PATTERN
			    ": none\n"
			    "  a service does once it has loaded nftrace, with "
			    "the same user's or root's\n  session daemon in "
			    "reach\n",
			    stdout);
		return;
	}
	cli_print(stdout,
		  "processes that offer " BASE_LEVEL_EVENT_PATTERN ":\n");
	for (size_t i = 0; i < status->nr_processes; i++) {
		const struct session_process *process = &status->processes[i];

		cli_print(stdout, "  %d %s\n", (int)process->pid,
			  *process->name
				  ? process->name
				  : "(in another PID namespace, or ended)");
	}
}

static void print_recorded(const struct session_overview *status)
{
	cli_print(stdout, "recorded now:\n");
	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		bool any = false;

		cli_print(stdout, "  %-5s ", base_levels[i].name);
		for (size_t j = 0; j < status->nr_sessions; j++) {
			const struct session_status *session =
				&status->sessions[j];

			if (!session_has_level(session, i))
				continue;
			cli_print(stdout, "%s%s", any ? ", " : "",
				  session->name);
			any = true;
		}
		cli_print(stdout, "%s\n", any ? "" : "-");
	}
}

static void print(const struct session_overview *status, bool answers)
{
	cli_print(stdout, "nftrace %s, event contract %s\n", NFTRACE_VERSION,
		  NFT_BUNYAN_CONTRACT_VERSION);
	if (status->no_ust)
		cli_print(stdout, "LTTng-UST: cannot be loaded here: %s\n",
			  status->no_ust);
	for (size_t i = 0; i < status->nr_daemons; i++)
		print_daemon(&status->daemons[i]);
	if (!answers)
		return;
	cli_print(stdout, "sessions:%s\n", status->nr_sessions ? "" : " none");
	for (size_t i = 0; i < status->nr_sessions; i++)
		print_session(&status->sessions[i]);
	if (status->nr_sessions)
		print_recorded(status);
	print_processes(status);
}

static int run(bool json)
{
	struct session_overview status;
	bool answers = false;
	int ret = CLI_OK;

	if (session_status_collect(&status)) {
		cli_error("out of memory");
		session_status_free(&status);
		return CLI_FAILED;
	}
	for (size_t i = 0; i < status.nr_daemons; i++)
		answers = answers || status.daemons[i].answers;
	if (json) {
		if (cli_status_print_json(&status))
			ret = CLI_FAILED;
	} else {
		print(&status, answers);
		if (fflush(stdout) || ferror(stdout))
			ret = CLI_FAILED;
		if (status.error)
			cli_error("the session daemon did not tell everything: "
				  "%s",
				  lttng_strerror(status.error));
	}
	if (!answers || status.no_ust || status.error)
		ret = CLI_FAILED;
	session_status_free(&status);
	return ret;
}

int cli_status(int argc, char **argv)
{
	static const struct cli_command command = {
		.name = "status",
		.help = help,
	};
	int json = 0;
	const struct poptOption table[] = {
		{ "json", 'j', POPT_ARG_NONE, &json, 0, NULL, NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	int status;
	poptContext context = cli_parse(&command, table, argc, argv, &status);

	if (!context)
		return status;
	status = cli_has_more(context, &command) ? CLI_USAGE : run(json);
	poptFreeContext(context);
	return status;
}
