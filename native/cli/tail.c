// SPDX-License-Identifier: MIT
/* nftrace tail: prints records as they are made. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <popt.h>
#include <uv.h>

#include "cli/cli.h"
#include "session/filter.h"
#include "base/level.h"
#include "cli/read_options.h"
#include "reader/error.h"
#include "reader/graph.h"
#include "cli/tail_list.h"
#include "live/live.h"

#define POLL_MS 20
/* Steps until signals and stdout are looked at again. */
#define MAX_STEPS 1000
/* Between looks for sessions that have come. ms */
#define LIST_MS	     1000
#define LOCAL_RELAYD "net://localhost"
/*
 * babeltrace2's live source may fail on a stream whose metadata is still on its way,
 * or doesn't arrive while another user's services are quiet. Then tail's own session
 * is followed anew, so often at most, with so much time between.
 */
#define MAX_REOPENED 20
#define REOPEN_MS    250

/* clang-format off */
static const char help[] =
	"Usage: nftrace tail [OPTION…]\n"
	"\n"
	"Prints Bunyan records a moment after each log call, until Ctrl-C. Each line is a\n"
	"JSON object, as in nftrace read. It shows all services of this user (for root,\n"
	"of all users), even services that start later. It makes a live tracing session,\n"
	"which enables the levels in the services, and a relay daemon (lttng-relayd),\n"
	"which no other user can reach. Both end with nftrace tail. If no session daemon\n"
	"answers, it starts one.\n"
	"\n"
	"  -l, --level=LEVEL     this level and above: trace, debug, info, warn, error,\n"
	"                        fatal or a number\n"
	"  -n, --name=GLOB       records whose name matches GLOB; * matches any text, a\n"
	"                        backslash takes the next character literally\n"
	"  -a, --all             also other programs' events, as records of level trace,\n"
	"                        and with --session or --url the kernel's events; they\n"
	"                        are not affected by the level and name given\n"
	"  -c, --context         add to each record, as \"context\", its event, the time in\n"
	"                        ns, the CPU and what the trace tells of the process\n"
	"  -s, --session=NAME    follow live sessions called NAME, at --url or else at\n"
	"                        the relay daemon of this host\n"
	"  -u, --url=URL         follow the live sessions of the relay daemon at URL,\n"
	"                        net://HOST[:PORT], or the one that\n"
	"                        net://HOST[:PORT]/host/HOSTNAME/SESSION names\n"
	"  -h, --help            this text\n"
	"\n"
	"With --session or --url it follows existing live sessions without changing them:\n"
	"all sessions of a relay daemon, from any number of hosts, or the sessions with\n"
	"one name. Records of sessions that exist at the start are merged by time. Later\n"
	"sessions are found within a second; their records are printed as they arrive.\n"
	"When a session ends, it waits for the next session of that name. Make a session\n"
	"on each host with\n"
	"\n"
	"  lttng create shop --live=100000 --set-url=net://collector\n"
	"\n"
	"Lost records are reported as by nftrace read.\n"
	"\n"
	"Exit status: 0 after Ctrl-C, SIGTERM or when the reader of stdout went away; 1\n"
	"for any failure; 2 if the command line is wrong.\n"
	"\n"
	"Examples:\n"
	"  nftrace tail --level debug --name 'shop*' | npx bunyan\n"
	"  nftrace tail --session shop\n"
	"  nftrace tail --url net://collector --level warn\n";
/* clang-format on */

struct options {
	struct cli_read_options read;
	char *session; /* owned, as the next one */
	char *url;
};

/* Sessions that are merged by time: those there at the start, or a later one. */
struct follower {
	struct follower *next;
	struct reader_sources sources;
	struct reader_graph graph; /* not open without graph.graph */
	bool has_ended;
};

struct tail {
	struct reader_ctf ctf;
	struct reader_record_options options;
	struct follower *followers; /* owned; a list */
	struct cli_tail_list list;  /* url is NULL with a session of our own */
	struct live own;
	uv_loop_t loop;
	uv_timer_t timer;
	uv_timer_t list_timer;
	int status;	 /* an exit code */
	bool has_failed; /* the source has, since it was opened */
	unsigned int nr_reopened;
	uint64_t reopen_at; /* ms, of the loop's clock */
};

/* For the signal handler: what it interrupts. NULL: nothing. */
static struct reader_graph *volatile interruptible;
static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
	struct reader_graph *graph = interruptible;

	(void)number;
	is_stopped = 1;
	if (graph)
		reader_graph_interrupt(graph);
}

/*
 * Not by libuv, which would notice it only between steps: this ends a step that
 * waits for a host that is gone.
 */
static void set_handlers(void)
{
	struct sigaction action = { .sa_handler = stop };

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
	action.sa_handler = SIG_IGN;
	(void)sigaction(SIGPIPE, &action, NULL);
}

static bool is_stdout_closed(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP));
}

/* Ends the loop. */
static void end(struct tail *tail, int status)
{
	tail->status = status;
	(void)uv_timer_stop(&tail->timer);
	(void)uv_timer_stop(&tail->list_timer);
	uv_stop(&tail->loop);
}

/* Remembers that a source has failed, and when to open it again. */
static void set_failed(struct tail *tail)
{
	tail->status = CLI_FAILED;
	tail->has_failed = true;
	tail->reopen_at = uv_now(&tail->loop) + REOPEN_MS;
}

static void note_failed(void *data, const char *stream)
{
	struct tail *tail = data;

	(void)stream;
	reader_error("a session cannot be followed any longer");
	set_failed(tail);
}

/* Goes on until there is nothing now. Returns an errno of stdout, or 0. */
static int step(struct tail *tail, struct follower *follower)
{
	enum reader_run step = READER_RUN_OK;

	interruptible = &follower->graph;
	for (int i = 0; i < MAX_STEPS && step == READER_RUN_OK && !is_stopped;
	     i++)
		step = reader_graph_step(&follower->graph);
	interruptible = NULL;
	follower->has_ended = step == READER_RUN_END ||
			      step == READER_RUN_FAILED;
	if (step == READER_RUN_FAILED && !follower->graph.sink.write_error)
		set_failed(tail);
	return follower->graph.sink.write_error;
}

static void set_sink(struct tail *tail, struct follower *follower)
{
	follower->graph.sink = (struct reader_sink){
		.fd = STDOUT_FILENO,
		.stop = &is_stopped,
		.failed = note_failed,
		.data = tail,
		.records.options = tail->options,
	};
}

/* Adds an empty follower. NULL after printing that there is no memory. */
static struct follower *add_follower(struct tail *tail)
{
	struct follower *follower = calloc(1, sizeof(*follower));

	if (!follower) {
		cli_error("out of memory");
		return NULL;
	}
	set_sink(tail, follower);
	follower->next = tail->followers;
	tail->followers = follower;
	return follower;
}

/* Follows what add_follower() was given sources for. */
static bool open_follower(struct follower *follower)
{
	if (!reader_graph_open(&follower->graph, &follower->sources))
		return true;
	follower->has_ended = true;
	reader_error("cannot follow");
	return false;
}

/* Whether tail's own session goes on although its source has failed. */
static bool can_reopen(struct tail *tail)
{
	return tail->has_failed && tail->own.is_open && live_runs(&tail->own) &&
	       tail->nr_reopened < MAX_REOPENED;
}

/* Follows tail's own session anew, once it is time. */
static void reopen(struct tail *tail)
{
	struct follower *follower = tail->followers;

	if (uv_now(&tail->loop) < tail->reopen_at)
		return;
	(void)reader_sink_flush(&follower->graph.sink);
	reader_graph_close(&follower->graph);
	set_sink(tail, follower);
	tail->nr_reopened++;
	tail->has_failed = false;
	follower->has_ended = false;
	if (open_follower(follower))
		cli_error("the session is followed again; records may be "
			  "missing");
	else
		set_failed(tail);
}

static void step_all(uv_timer_t *timer)
{
	struct tail *tail = timer->data;
	int write_error = 0;
	bool has_more = false;

	for (struct follower *follower = tail->followers;
	     follower && !write_error && !is_stopped;
	     follower = follower->next) {
		if (!follower->has_ended)
			write_error = step(tail, follower);
		has_more |= !follower->has_ended;
	}
	if (is_stopped || is_stdout_closed() || write_error == EPIPE) {
		end(tail, tail->status);
	} else if (write_error) {
		cli_error("cannot write: %s", strerror(write_error));
		end(tail, CLI_FAILED);
	} else if (!has_more && can_reopen(tail)) {
		reopen(tail);
	} else if (!has_more) {
		end(tail, tail->status);
	} else if (tail->own.is_open && !live_runs(&tail->own)) {
		cli_error("lttng-relayd ended; without it there is nothing to "
			  "follow");
		end(tail, CLI_FAILED);
	}
}

/* Follows sessions that have come. */
static void follow_new(uv_timer_t *timer)
{
	struct tail *tail = timer->data;
	struct reader_sources sources = { 0 };
	struct follower *follower;

	if (!cli_tail_list_more(&tail->list, &sources, &tail->ctf))
		reader_error("out of memory");
	follower = sources.nr_sources ? add_follower(tail) : NULL;
	if (!follower) {
		reader_sources_free(&sources);
		return;
	}
	follower->sources = sources;
	if (!open_follower(follower))
		tail->status = CLI_FAILED;
}

static void free_followers(struct tail *tail)
{
	while (tail->followers) {
		struct follower *follower = tail->followers;

		tail->followers = follower->next;
		reader_graph_close(&follower->graph);
		reader_sources_free(&follower->sources);
		free(follower);
	}
}

/* Makes the session of our own, which records what is to be printed. */
static char *make_session(struct tail *tail)
{
	const char *name = tail->options.filter.name;
	struct session_plan plan = {
		.level = base_level_of(tail->options.filter.level),
		.all = tail->options.all,
	};
	char *filter = NULL;
	const char *unfit;
	char *url;

	/* A name that LTTng can't filter by is left to the reader. */
	if (name &&
	    session_filter_build(&name, 1, NULL, &filter, &unfit) == -ENOMEM)
		cli_error("out of memory");
	plan.filter = filter;
	url = live_open(&tail->own, &plan);
	free(filter);
	return url;
}

/* Makes the session of our own, and the source that reads it. */
static bool open_own(struct tail *tail, struct reader_sources *sources)
{
	char *url = make_session(tail);
	bool is_ok = url && !reader_sources_add_live(sources, &tail->ctf, url);

	free(url);
	return is_ok;
}

/* Opens what is there at the start. */
static bool open_first(struct tail *tail, const struct options *options)
{
	struct follower *follower = add_follower(tail);

	if (!follower || reader_ctf_load(&tail->ctf))
		return false;
	if (!options->session && !options->url)
		return open_own(tail, &follower->sources);
	tail->list.url = options->url ? options->url : LOCAL_RELAYD;
	tail->list.session = options->session;
	return cli_tail_list_open(&tail->list, &follower->sources, &tail->ctf);
}

static void follow(struct tail *tail)
{
	int status = uv_timer_init(&tail->loop, &tail->timer);

	(void)uv_timer_init(&tail->loop, &tail->list_timer);
	tail->timer.data = tail;
	tail->list_timer.data = tail;
	if (status == 0)
		status = uv_timer_start(&tail->timer, step_all, 0, POLL_MS);
	if (status == 0 && tail->list.url)
		status = uv_timer_start(&tail->list_timer, follow_new, LIST_MS,
					LIST_MS);
	if (status != 0) {
		cli_error("cannot follow: %s", uv_strerror(status));
	} else if (open_follower(tail->followers)) {
		tail->status = CLI_OK;
		(void)uv_run(&tail->loop, UV_RUN_DEFAULT);
		for (struct follower *follower = tail->followers; follower;
		     follower = follower->next)
			(void)reader_sink_flush(&follower->graph.sink);
	}
	uv_close((uv_handle_t *)&tail->timer, NULL);
	uv_close((uv_handle_t *)&tail->list_timer, NULL);
}

static void summarize(const struct tail *tail)
{
	struct reader_counts sum = { 0 };

	for (const struct follower *follower = tail->followers; follower;
	     follower = follower->next) {
		const struct reader_counts *counts =
			&follower->graph.sink.records.counts;

		sum.gaps += counts->gaps;
		sum.records += counts->records;
		sum.lost_events += counts->lost_events;
		sum.lost_packets += counts->lost_packets;
	}
	if (sum.gaps || sum.lost_packets)
		cli_error("%" PRIu64 " records, %" PRIu64 " events and %" PRIu64
			  " packets of events lost",
			  sum.records, sum.lost_events, sum.lost_packets);
}

static int tail_sessions(const struct options *options)
{
	struct tail tail = { .status = CLI_FAILED };

	if (!cli_read_options(&options->read, &tail.options))
		return CLI_USAGE;
	if (uv_loop_init(&tail.loop) != 0) {
		cli_error("cannot make an event loop");
		return CLI_FAILED;
	}
	set_handlers();
	if (open_first(&tail, options) && !is_stopped)
		follow(&tail);
	else if (is_stopped)
		tail.status = CLI_OK;
	summarize(&tail);
	live_stop(&tail.own);
	free_followers(&tail);
	cli_tail_list_free(&tail.list);
	reader_ctf_unload(&tail.ctf);
	if (live_close(&tail.own))
		tail.status = CLI_FAILED;
	(void)uv_run(&tail.loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&tail.loop);
	return tail.status;
}

int cli_tail(int argc, char **argv)
{
	static const struct cli_command command = {
		.name = "tail",
		.help = help,
	};
	struct options options = { 0 };
	const struct poptOption table[] = {
		CLI_READ_OPTIONS(&options.read),
		{ "session", 's', POPT_ARG_STRING, &options.session, 0, NULL,
		  NULL },
		{ "url", 'u', POPT_ARG_STRING, &options.url, 0, NULL, NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	poptContext context;
	int status;

	context = cli_parse(&command, table, argc, argv, &status);
	if (context) {
		const char *extra = poptGetArg(context);

		if (extra) {
			cli_error(
				"tail: %s: takes no arguments; for a recorded "
				"trace there is nftrace read",
				extra);
			status = CLI_USAGE;
		} else {
			status = tail_sessions(&options);
		}
		poptFreeContext(context);
	}
	cli_read_options_free(&options.read);
	free(options.session);
	free(options.url);
	return status;
}
