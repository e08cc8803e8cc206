// SPDX-License-Identifier: MIT
/* nftrace snapshot: keeps the last moments in memory, to be saved on demand. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <popt.h>
#include <lttng/lttng.h>

#include "base/level.h"
#include "cli/cli.h"
#include "session/daemon.h"
#include "session/place.h"
#include "cli/select.h"
#include "session/session.h"
#include "reader/count.h"
#include "session/watch.h"

#define DEFAULT_SESSION "nftrace-snapshot"
#define DEFAULT_EVERY	60

/* clang-format off */
static const char help[] =
	"Usage: nftrace snapshot start [OPTION…]\n"
	"       nftrace snapshot save [--session=NAME]\n"
	"       nftrace snapshot stop [--session=NAME]\n"
	"\n"
	"A flight recorder: records only into memory, where new records overwrite the\n"
	"oldest, until \"save\" writes the memory's contents to disk. The last records of\n"
	"a process that has crashed or was killed are kept, too.\n"
	"\n"
	"Commands:\n"
	"  start                 begins to record into memory\n"
	"  save                  writes what is in memory to a new folder, and prints it\n"
	"                        on stdout; recording goes on\n"
	"  stop                  ends it; what was not saved is gone\n"
	"\n"
	"Options of start:\n"
	"  -l, --level=LEVEL     this level and above: trace (the default), debug, info,\n"
	"                        warn, error, fatal, or 10, 20, 30, 40, 50, 60\n"
	"  -n, --name=GLOB       records of loggers of this name; * stands for any text,\n"
	"                        a backslash takes the next character literally. May be\n"
	"                        given several times\n"
	"  -f, --filter=EXPR     records that an LTTng filter expression accepts; see\n"
	"                        nftrace record --help\n"
	"  -b, --buffers=SIZE×N  how much is kept, for each CPU and user: N parts of SIZE\n"
	"                        bytes (k, M, G); SIZExN does as well\n"
	"  -o, --output=DIR      where snapshots are saved: a folder that is empty or\n"
	"                        doesn't exist yet; if not given, a new one below\n"
	"                        $LTTNG_HOME/lttng-traces or ~/lttng-traces\n"
	"  --on-fatal            also save a snapshot at the first fatal record, at most\n"
	"                        once a minute\n"
	"  --every=SECONDS       with --on-fatal: at most once in this number of seconds\n"
	"\n"
	"  -s, --session=NAME    the recorder's name, if there are several; \"nftrace-\n"
	"                        snapshot\" if not given\n"
	"  -h, --help            this text\n"
	"\n"
	"With --on-fatal, a process stays in the background until the recorder stops. A\n"
	"session daemon is started when none answers.\n"
	"\n"
	"Exit status: 0; 1 if it failed; 2 if the command line is wrong.\n"
	"\n"
	"Examples:\n"
	"  nftrace snapshot start --buffers 4M×8 --on-fatal\n"
	"  nftrace read \"$(nftrace snapshot save)\" | npx bunyan\n";
/* clang-format on */

struct options {
	struct session_plan plan; /* its strings are the select's */
	struct cli_select select;
	char *session; /* owned, as the next; NULL: the default */
	char *output;
	int on_fatal;
	int every; /* seconds */
};

static const char *session_of(const struct options *options)
{
	return options->session ? options->session : DEFAULT_SESSION;
}

/* Says what to do about a session that isn't there, or isn't a recorder of ours. */
static bool find_session(const char *session)
{
	if (lttng_session_daemon_alive() != 1 || !session_exists(session)) {
		cli_error("there is no recorder \"%s\"; begin one with nftrace "
			  "snapshot start",
			  session);
		return false;
	}
	if (session_is_recorder(session))
		return true;
	cli_error("the session \"%s\" is not one of nftrace snapshot's "
		  "recorders, and is left alone; lttng list shows it",
		  session);
	return false;
}

/* Creates and starts the session. Returns 0 or -1; then there is none. */
static int begin(const struct options *options, const char *session)
{
	char folder[PATH_MAX], name[LTTNG_NAME_MAX + 32], stamp[16];
	int ret;

	session_stamp(stamp);
	(void)snprintf(name, sizeof(name), "%s-%s-%d", session, stamp,
		       (int)getpid());
	if (session_place_choose(options->output, name, folder))
		return -1;
	if (session_create(lttng_session_descriptor_snapshot_local_create(
				   session, folder),
			   "cannot create the recorder"))
		goto discard;
	if (session_enable(session, &options->plan))
		goto failed;
	ret = lttng_start_tracing(session);
	if (ret < 0) {
		session_error("cannot start the recorder", ret);
		goto failed;
	}
	if (!options->on_fatal)
		return 0;
	/* A watcher may be left of a session of that name that has gone. */
	session_watch_stop(session);
	if (!session_watch_start(session, options->plan.filter,
				 (unsigned int)options->every))
		return 0;
failed:
	(void)session_destroy(session);
discard:
	session_place_discard();
	return -1;
}

static int start(const struct options *options)
{
	const char *session = session_of(options);
	const char *flag = options->session ? " --session=" : "";

	if (session_daemon_ensure())
		return CLI_FAILED;
	if (session_exists(session)) {
		if (session_is_recorder(session))
			cli_error("the recorder \"%s\" runs already; end it "
				  "with nftrace snapshot stop%s%s, or give "
				  "this one another --session",
				  session, flag,
				  options->session ? session : "");
		else
			cli_error("there is a session \"%s\" already, which "
				  "is not a recorder; give this one another "
				  "--session",
				  session);
		return CLI_FAILED;
	}
	if (begin(options, session))
		return CLI_FAILED;
	cli_error("recording into memory%s; nftrace snapshot save%s%s writes "
		  "it to disk",
		  options->on_fatal ? ", saving on fatal records" : "", flag,
		  options->session ? session : "");
	return CLI_OK;
}

/* The number of a snapshot's folder, "snapshot-1-DATE-NUMBER"; -1: another. */
static long number_of(const char *folder)
{
	const char *dash = strrchr(folder, '-');
	char *end;
	long number;

	if (strncmp(folder, "snapshot-", 9) != 0 || !dash)
		return -1;
	number = strtol(dash + 1, &end, 10);
	return *end ? -1 : number;
}

/* Finds the newest snapshot in a folder. Returns its number; -1: none. */
static long find_newest(const char *folder, char newest[static NAME_MAX + 1])
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	long highest = -1;

	while (dir && (entry = readdir(dir))) {
		long number = number_of(entry->d_name);

		if (number <= highest)
			continue;
		highest = number;
		(void)snprintf(newest, NAME_MAX + 1, "%s", entry->d_name);
	}
	if (dir)
		(void)closedir(dir);
	return highest;
}

/* Where a session's snapshots go. Returns 0, or -1 without a word. */
static int output_of(const char *session, char folder[static PATH_MAX])
{
	struct lttng_snapshot_output_list *list = NULL;
	const struct lttng_snapshot_output *output;
	const char *url;
	int ret = -1;

	if (lttng_snapshot_list_output(session, &list))
		return ret;
	output = lttng_snapshot_output_list_get_next(list);
	url = output ? lttng_snapshot_output_get_ctrl_url(output) : NULL;
	if (url) {
		if (!strncmp(url, "file://", 7))
			url += 7;
		ret = snprintf(folder, PATH_MAX, "%s", url) < PATH_MAX ? 0 : -1;
	}
	lttng_snapshot_output_list_destroy(list);
	return ret;
}

/* Says how many records a snapshot has. Returns -1 if it has none. */
static int report(const char *folder, const char *name)
{
	struct reader_record_count count = { 0 };
	char path[PATH_MAX + NAME_MAX + 2];
	int ret;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	ret = reader_record_count(path, &count);
	if (!count.records && !ret) {
		cli_error("nothing is recorded yet; nftrace status shows which "
			  "processes could");
		return -1;
	}
	cli_error("%" PRIu64 "%s records saved", count.records,
		  ret ? " or more" : "");
	return 0;
}

static int save(const struct options *options)
{
	const char *session = session_of(options);
	char folder[PATH_MAX], newest[NAME_MAX + 1];
	long before;
	int ret;

	if (!find_session(session))
		return CLI_FAILED;
	if (output_of(session, folder)) {
		cli_error("the recorder has no folder to save to");
		return CLI_FAILED;
	}
	before = find_newest(folder, newest);
	ret = lttng_snapshot_record(session, NULL, 1);
	if (ret < 0) {
		session_error("cannot save a snapshot", ret);
		return CLI_FAILED;
	}
	if (find_newest(folder, newest) <= before) {
		cli_error("saved, but %s shows no new snapshot", folder);
		return CLI_FAILED;
	}
	if (report(folder, newest))
		return CLI_FAILED;
	if (cli_give("%s/%s", folder, newest)) {
		cli_error("cannot write to stdout: %s", strerror(errno));
		return CLI_FAILED;
	}
	return CLI_OK;
}

static int stop(const struct options *options)
{
	const char *session = session_of(options);

	if (!find_session(session))
		return CLI_FAILED;
	session_watch_stop(session);
	return session_destroy(session) ? CLI_FAILED : CLI_OK;
}

static const struct {
	const char *name;
	int (*run)(const struct options *options);
	bool takes_options; /* others than --session */
} commands[] = {
	{ "start", start, true },
	{ "save", save, false },
	{ "stop", stop, false },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct cli_command command = {
	.name = "snapshot",
	.help = help,
};

/* Whether an option other than --session was given. */
static bool has_options(const struct options *options)
{
	const struct cli_select *select = &options->select;

	return select->level || select->names || select->expression ||
	       select->buffers || options->output || options->on_fatal;
}

/* Runs the command that is named in what popt has left. */
static int dispatch(poptContext context, const struct options *options)
{
	const char *name = poptGetArg(context);

	if (cli_has_more(context, &command))
		return CLI_USAGE;
	for (size_t i = 0; name && i < NR_COMMANDS; i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		if (commands[i].takes_options || !has_options(options))
			return commands[i].run(options);
		cli_error("snapshot %s takes no option but --session", name);
		return CLI_USAGE;
	}
	if (name)
		cli_error("there is no \"snapshot %s\", but start, save and "
			  "stop",
			  name);
	else
		(void)fputs(help, stderr);
	return CLI_USAGE;
}

/* Makes a plan of the options. Returns 0, or an exit code after saying why not. */
static int plan(struct options *options)
{
	if (options->every < 0 || (options->every && !options->on_fatal)) {
		cli_error("--every is a number of seconds, and for --on-fatal");
		return CLI_USAGE;
	}
	if (!options->every)
		options->every = DEFAULT_EVERY;
	return cli_select_plan(&options->select, &options->plan);
}

int cli_snapshot(int argc, char **argv)
{
	struct options options = {
		.plan = { .level = base_levels[0].loglevel, .overwrite = true },
	};
	const struct poptOption table[] = {
		CLI_SELECT_OPTIONS(&options.select),
		{ "output", 'o', POPT_ARG_STRING, &options.output, 0, NULL,
		  NULL },
		{ "on-fatal", '\0', POPT_ARG_NONE, &options.on_fatal, 0, NULL,
		  NULL },
		{ "every", '\0', POPT_ARG_INT, &options.every, 0, NULL, NULL },
		{ "session", 's', POPT_ARG_STRING, &options.session, 0, NULL,
		  NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	int status;
	poptContext context = cli_parse(&command, table, argc, argv, &status);

	if (context) {
		status = plan(&options);
		if (!status)
			status = dispatch(context, &options);
		poptFreeContext(context);
	}
	cli_select_free(&options.select);
	free(options.session);
	free(options.output);
	return status;
}
