// SPDX-License-Identifier: MIT
/* nftrace record: records a service, or what runs anyway, into a trace. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>
#include <popt.h>
#include <lttng/lttng.h>

#include "base/level.h"
#include "cli/cli.h"
#include "session/daemon.h"
#include "session/place.h"
#include "cli/select.h"
#include "session/session.h"
#include "reader/count.h"
#include "session/recording.h"
#include "cli/record_run.h"

#define BLOCKING_ENV	   "LTTNG_UST_ALLOW_BLOCKING"
#define STATUS_INTERRUPTED 130
#define POLL_MS		   20
#define PENDING_NS	   (UINT64_C(120) * 1000 * 1000 * 1000)

/* clang-format off */
static const char help[] =
	"Usage: nftrace record [OPTION…] [-- COMMAND [ARGUMENT…]]\n"
	"\n"
	"Records Bunyan records into an LTTng trace while COMMAND runs, or, without one,\n"
	"until Ctrl-C. Every process of this user that logs through nftrace is recorded,\n"
	"not COMMAND alone; --name and --filter choose among them. (With root's session\n"
	"daemon: every user's processes.) The session is closed at the end; then nftrace\n"
	"says on stderr where the trace is, how many records it holds and how many were\n"
	"lost.\n"
	"\n"
	"What to record:\n"
	"  -l, --level=LEVEL     this level and above: trace (the default), debug, info,\n"
	"                        warn, error, fatal, or 10, 20, 30, 40, 50, 60\n"
	"  -n, --name=GLOB       records of loggers of this name; * stands for any text,\n"
	"                        a backslash takes the next character literally. May be\n"
	"                        given several times\n"
	"  -f, --filter=EXPR     records that an LTTng filter expression accepts, made of\n"
	"                        level, time, name, hostname, pid, msg, fields and\n"
	"                        $ctx.vpid, $ctx.vtid, $ctx.procname; see\n"
	"                        lttng-enable-event(1)\n"
	"  --kernel=EVENTS       kernel tracepoints too, as sched_switch,net_*\n"
	"  --syscalls=CALLS      system calls too, as open,read, or '*'. Both need root's\n"
	"                        session daemon and lttng-modules\n"
	"\n"
	"How:\n"
	"  -b, --buffers=SIZE×N  for each CPU a ring buffer with N sub-buffers of SIZE\n"
	"                        bytes (k, M, G), both rounded up to powers of two. A\n"
	"                        record larger than SIZE is lost. SIZExN works, too\n"
	"  --lossless            when the buffers are full, the application waits and no\n"
	"                        record is lost. A log call can take as long as a write\n"
	"                        to the disk, and blocks forever if LTTng's consumer\n"
	"                        daemon hangs. Affects COMMAND, and other processes that\n"
	"                        were started with LTTNG_UST_ALLOW_BLOCKING=1\n"
	"\n"
	"Where to:\n"
	"  -o, --output=DIR      a folder that is empty or doesn't exist yet; if not\n"
	"                        given, a new one below $LTTNG_HOME/lttng-traces or\n"
	"                        ~/lttng-traces\n"
	"  --to=HOST             lttng-relayd on HOST, or HOST:PORT:PORT for its control\n"
	"                        and data ports (5342 and 5343)\n"
	"\n"
	"  -h, --help            this text\n"
	"\n"
	"A session daemon is started when none answers. Signals sent to nftrace are\n"
	"passed on to COMMAND. A recording whose nftrace was killed goes on; the next\n"
	"nftrace record says how to close it.\n"
	"\n"
	"Exit status: that of COMMAND; 128 + N if signal N ended COMMAND; 127 if COMMAND\n"
	"was not found; 126 if it can't be run; 0 without COMMAND. 1 instead of 0 if\n"
	"recording failed; 2 if the command line is wrong.\n"
	"\n"
	"Examples:\n"
	"  nftrace record --level debug -- node server.js\n"
	"  nftrace record --name 'shop*' --filter 'pid == 4711' -o trace\n"
	"  nftrace record --buffers 4M×8 --kernel sched_switch -- node server.js\n";
/* clang-format on */

struct options {
	struct session_plan plan; /* its strings are those below */
	struct cli_select select;
	char *kernel; /* this and the following: owned */
	char *syscalls;
	char *output;
	char *host;
	int lossless;
	char **command; /* weak: popt's; ends with NULL; NULL: none */
};

static void free_options(struct options *options)
{
	cli_select_free(&options->select);
	free(options->kernel);
	free(options->syscalls);
	free(options->output);
	free(options->host);
}

/* Makes a plan of the options. Returns 0, or an exit code after saying why not. */
static int plan(struct options *options)
{
	if (options->output && options->host) {
		cli_error("--output and --to exclude each other: lttng-relayd "
			  "has an --output of its own");
		return CLI_USAGE;
	}
	options->plan.blocking = options->lossless;
	options->plan.kernel = options->kernel;
	options->plan.syscalls = options->syscalls;
	return cli_select_plan(&options->select, &options->plan);
}

static int create(const struct options *options, const char *session)
{
	struct lttng_session_descriptor *descriptor;
	char place[PATH_MAX];

	if (options->host) {
		int size =
			snprintf(place, sizeof(place), "%s%s",
				 strstr(options->host, "://") ? "" : "net://",
				 options->host);

		if (size < 0 || (size_t)size >= sizeof(place)) {
			cli_error("--to: the name is too long");
			return -1;
		}
		descriptor = lttng_session_descriptor_network_create(
			session, place, NULL);
		if (!descriptor) {
			cli_error("--to: \"%s\" is not a host, nor HOST:PORT:"
				  "PORT, nor a URL as net6://[::1]",
				  options->host);
			return -1;
		}
	} else {
		if (session_place_choose(options->output, session, place))
			return -1;
		descriptor =
			lttng_session_descriptor_local_create(session, place);
	}
	return session_create(descriptor, "cannot create a recording session");
}

/*
 * Stops and waits until everything recorded is in the trace, though not for ever:
 * behind an event whose process was killed in the middle of it nothing comes.
 */
static int stop(const char *session)
{
	int ret = lttng_stop_tracing_no_wait(session);
	uint64_t end = uv_hrtime() + PENDING_NS;
	bool interrupted = false;

	if (ret < 0 && ret != -LTTNG_ERR_TRACE_ALREADY_STOPPED) {
		session_error("cannot stop recording", ret);
		return -1;
	}
	while ((ret = lttng_data_pending(session)) == 1) {
		cli_show("waiting for the last records (Ctrl-C: no more)");
		interrupted = cli_run_interrupted(POLL_MS);
		if (interrupted || uv_hrtime() > end)
			break;
	}
	cli_hide();
	if (!ret)
		return 0;
	if (ret < 0)
		session_error("cannot wait for the last records", ret);
	else
		cli_error(
			"%s for the last records; the trace may be incomplete",
			interrupted ? "did not wait" : "gave up waiting");
	return -1;
}

static bool show_count(void *data)
{
	const struct reader_record_count *count = data;

	cli_show("%" PRIu64 " records (Ctrl-C: don't count)", count->records);
	return cli_run_interrupted(0);
}

static void report_losses(const struct options *options,
			  const struct session_losses *losses)
{
	const char *doing = options->plan.buffers.size ? "raise" : "set";

	if (losses->events || losses->packets)
		cli_error("%" PRIu64
			  " records were lost: they found the buffers full, "
			  "or were larger than a part of them; %s --buffers%s",
			  losses->events, doing,
			  options->plan.blocking
				  ? " (--lossless holds only for processes "
				    "started with " BLOCKING_ENV "=1)"
				  : ", or see --lossless in nftrace record "
				    "--help");
	if (losses->kernel_events)
		cli_error("%" PRIu64
			  " of the kernel's events were lost: choose "
			  "fewer, or %s --buffers",
			  losses->kernel_events, doing);
	if (losses->is_unsure)
		cli_error("LTTng's count of what was lost makes no sense; "
			  "nftrace read shows what the trace lacks");
}

/* Prints where the trace is and what is in it. */
static int report(const struct options *options, const char *path,
		  const struct session_losses *losses)
{
	struct reader_record_count count = { .interrupted = show_count };
	int ret;

	if (options->host) {
		cli_error("recorded to %s, %" PRIu64 " lost; read it on that "
			  "host, below lttng-relayd's --output",
			  path, losses->events);
		report_losses(options, losses);
		return CLI_OK;
	}
	count.data = &count;
	ret = reader_record_count(path, &count);
	cli_hide();
	cli_error("%" PRIu64 "%s records in %s, %" PRIu64 " lost",
		  count.records, ret ? " or more" : "", path, losses->events);
	if (count.others)
		cli_error("%" PRIu64 " other events; nftrace read --all shows "
			  "them",
			  count.others);
	report_losses(options, losses);
	if (!ret && !count.records && !losses->events)
		cli_error("nothing logged through nftrace at this level; "
			  "nftrace status shows which processes could");
	if (ret != -EIO)
		return CLI_OK;
	cli_error(
		"%s cannot be read to its end; nftrace read prints what can be",
		path);
	return CLI_FAILED;
}

/* Records until the command ends or a signal comes; gives its exit status. */
static int wait_for_end(const struct options *options, bool *started)
{
	*started = true;
	if (options->command) {
		if (cli_run_interrupted(0))
			return STATUS_INTERRUPTED;
		if (options->plan.blocking && setenv(BLOCKING_ENV, "1", 1)) {
			cli_error("out of memory");
			return CLI_FAILED;
		}
		return cli_run_command(options->command, started);
	}
	if (isatty(STDERR_FILENO))
		cli_error("recording; Ctrl-C ends it");
	cli_run_until_signal();
	return CLI_OK;
}

/*
 * Records into a session that exists. *@is_closed says whether it is gone. If it
 * can't be started its folder isn't wanted. Returns an exit code.
 */
static int record_into(const struct options *options, const char *session,
		       bool *is_closed)
{
	struct session_losses losses = { 0 };
	char path[PATH_MAX] = "";
	bool started;
	int status, ret;

	if (session_enable(session, &options->plan)) {
		/* The daemon hangs up then, which says nothing. */
		if (options->host)
			cli_error("does an lttng-relayd listen at %s, with its "
				  "ports (5342 and 5343) open?",
				  options->host);
		*is_closed = !session_destroy(session);
		session_place_discard();
		return CLI_FAILED;
	}
	ret = lttng_start_tracing(session);
	if (ret < 0) {
		session_error("cannot start recording", ret);
		*is_closed = !session_destroy(session);
		session_place_discard();
		return CLI_FAILED;
	}
	(void)session_path(session, path);
	status = wait_for_end(options, &started);
	ret = stop(session);
	if (session_losses(session, &losses))
		ret = -1;
	/*
	 * Read while the session is stopped and its data has arrived: nothing
	 * writes to the trace then, as closing the session might.
	 */
	if (started && report(options, path, &losses))
		ret = -1;
	*is_closed = !session_destroy(session);
	if (!*is_closed) {
		cli_error("try \"lttng destroy %s\"", session);
		ret = -1;
	}
	return status ? status : ret ? CLI_FAILED : CLI_OK;
}

/* Returns an exit code. */
static int record(const struct options *options, const char *session)
{
	struct session_mark mark;
	bool is_closed;
	int status;

	if (create(options, session)) {
		session_place_discard();
		return CLI_FAILED;
	}
	session_recording_mark(&mark, session);
	status = record_into(options, session, &is_closed);
	if (is_closed)
		session_mark_remove(&mark);
	else
		session_mark_close(&mark);
	return status;
}

/* Returns an exit code. */
static int start(struct options *options)
{
	char session[LTTNG_NAME_MAX];
	int status = plan(options);

	if (status)
		return status;
	session_recording_name(session);
	if (cli_run_hold_signals() || session_daemon_ensure())
		return CLI_FAILED;
	session_recording_report();
	return record(options, session);
}

int cli_record(int argc, char **argv)
{
	static const struct cli_command command = {
		.name = "record",
		.help = help,
		.runs_another = true,
	};
	struct options options = { .plan.level = base_levels[0].loglevel };
	const struct poptOption table[] = {
		CLI_SELECT_OPTIONS(&options.select),
		{ "kernel", '\0', POPT_ARG_STRING, &options.kernel, 0, NULL,
		  NULL },
		{ "syscalls", '\0', POPT_ARG_STRING, &options.syscalls, 0, NULL,
		  NULL },
		{ "lossless", '\0', POPT_ARG_NONE, &options.lossless, 0, NULL,
		  NULL },
		{ "output", 'o', POPT_ARG_STRING, &options.output, 0, NULL,
		  NULL },
		{ "to", '\0', POPT_ARG_STRING, &options.host, 0, NULL, NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	int status;
	poptContext context = cli_parse(&command, table, argc, argv, &status);

	if (context) {
		options.command = (char **)poptGetArgs(context);
		status = start(&options);
		poptFreeContext(context);
	}
	free_options(&options);
	return status;
}
