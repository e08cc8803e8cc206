// SPDX-License-Identifier: MIT
/* nftrace read: prints recorded traces as Bunyan lines. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <popt.h>

#include "base/level.h"
#include "cli/cli.h"
#include "cli/read_around.h"
#include "cli/read_options.h"
#include "cli/read_progress.h"
#include "cli/read_time.h"
#include "reader/files.h"

/* clang-format off */
static const char help[] =
	"Usage: nftrace read [OPTION…] PATH…\n"
	"\n"
	"Prints the Bunyan records of traces as Bunyan itself writes them, one JSON\n"
	"object a line, merged by the time at which they were recorded. PATH is what\n"
	"nftrace record, nftrace snapshot or lttng made: a session's folder, one chunk of\n"
	"a rotated one, a snapshot, or a folder with several of these, of one host or of\n"
	"many.\n"
	"\n"
	"Which records:\n"
	"  -l, --level=LEVEL     this level and above: trace, debug, info, warn, error,\n"
	"                        fatal or a number\n"
	"  -n, --name=GLOB       records whose name matches GLOB; * matches any text, a\n"
	"                        backslash takes the next character literally\n"
	"  -b, --begin=TIME      from TIME on\n"
	"  -e, --end=TIME        up to TIME\n"
	"  --around EXPR DURATION\n"
	"                        records that EXPR matches, and the events around them\n"
	"\n"
	"What else:\n"
	"  -a, --all             other programs' and the kernel's events, too, as records\n"
	"                        of level trace; --level and --name don't affect them\n"
	"  -c, --context         add to each record, as \"context\", its event, the time in\n"
	"                        ns, the CPU and what the trace tells of the process\n"
	"  --lost-fails          end with status 3 if records were lost\n"
	"  -h, --help            this text\n"
	"\n"
	"TIME is 2026-11-30T08:53:44.428Z, with +01:00 instead of Z, or with neither for\n"
	"local time; 08:53 or 08:53:44.428, today; 2026-11-30; or @1796028824.428,\n"
	"seconds since the epoch. It is compared with the record's own time, in ms. Both\n"
	"ends are included.\n"
	"\n"
	"--around prints, within DURATION (200us, 5ms, 1s) before and after each record\n"
	"that EXPR chooses, the events of the same thread and of the same CPU; and after\n"
	"the record where the thread's time went since its previous record: running,\n"
	"waiting for a CPU, blocked, in which system calls. The other options restrict\n"
	"the records, but not the events around them. --around needs kernel events from\n"
	"\n"
	"  nftrace record --kernel sched_switch,sched_wakeup --syscalls '*' -- COMMAND\n"
	"\n"
	"EXPR compares a record's members (msg, req.url, list[0], req[\"x-id\"]) by ==, !=,\n"
	"<, <=, >, >= or ~, which takes a POSIX extended regular expression; then there\n"
	"are !, &&, || and parentheses. As in LTTng's filters, * in a string that == or\n"
	"!= compares with stands for anything. See nftrace(1).\n"
	"\n"
	"At each gap in the trace there is a record with the name nftrace and the level\n"
	"warn; its member \"lost\" has the number of events or packets that were lost. A\n"
	"summary is printed on stderr. If \"fields\" is not a JSON object, its text becomes\n"
	"the member \"nftrace_fields\". Control characters, bidirectional controls and\n"
	"characters without width, except the two joiners, are always escaped.\n"
	"\n"
	"Exit status: 0; 1 if something could not be read (the rest was printed, and\n"
	"stderr says what was left out); 2 if the command line is wrong; 3, with\n"
	"--lost-fails, if records were lost.\n"
	"\n"
	"Examples:\n"
	"  nftrace read ~/lttng-traces/shop-20261130-085344 | npx bunyan\n"
	"  nftrace read --level warn --begin 08:50 --end 08:55 out\n"
	"  nftrace read --around 'msg ~ \"^slow\" && req.url == \"/pay*\"' 5ms out\n"
	"  nftrace read --all --context out | jq 'select(.context.cpu_id == 1)'\n";
/* clang-format on */

struct options {
	struct cli_read_options read;
	struct cli_around_option around;
	char *begin; /* owned, as the next one */
	char *end;
	int lost_fails;
};

/* The signal that asked to stop; 0: none has. */
static volatile sig_atomic_t stop_signal;

static void note_signal(int number)
{
	stop_signal = number;
}

static void set_handler(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	(void)sigaction(number, &action, NULL);
}

static bool parse_time(const char *option, const char *text, int64_t *ms)
{
	if (!text || cli_read_time(text, ms))
		return true;
	cli_error("%s %s: not a time; give one such as "
		  "2026-11-30T08:53:44.428Z or 08:53",
		  option, text);
	return false;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void summarize(const struct reader_counts *counts,
		      const struct reader_check *check)
{
	if (counts->gaps)
		cli_error("%" PRIu64 " record%s read, %" PRIu64 " event%s lost "
			  "in %" PRIu64 " gap%s; larger buffers help (nftrace "
			  "record --buffers), or --lossless",
			  counts->records, plural(counts->records),
			  counts->lost_events, plural(counts->lost_events),
			  counts->gaps, plural(counts->gaps));
	if (counts->lost_packets)
		cli_error("%" PRIu64 " packet%s of events lost, with an "
			  "unknown number of records",
			  counts->lost_packets, plural(counts->lost_packets));
	if (check->nr_late)
		cli_error("%" PRIu64 " of %" PRIu64 " streams lack their "
			  "beginning: it was overwritten, or is in another "
			  "chunk",
			  check->nr_late, check->nr_streams);
	if (counts->unknown)
		cli_error("%" PRIu64 " event%s " BASE_LEVEL_EVENT_PATTERN
			  " not read: this nftrace knows "
			  "version " NFT_BUNYAN_CONTRACT_VERSION
			  " of their contract, and they are of another one; "
			  "--all prints them as they are",
			  counts->unknown, plural(counts->unknown));
	if (!counts->records && counts->others > counts->unknown)
		cli_error("no Bunyan records among %" PRIu64
			  " event%s; --all prints these",
			  counts->others, plural(counts->others));
}

/* Reads to the end. Returns an exit code. */
static int run(struct reader_files *files, struct cli_around *around,
	       bool lost_fails)
{
	struct reader_sink *sink = &files->graph.sink;
	const struct reader_counts *counts = &sink->records.counts;
	struct cli_progress progress;
	enum reader_run step;

	cli_progress_begin(&progress);
	do {
		step = reader_graph_step(&files->graph);
		cli_progress_step(&progress, counts->packets,
				  files->check.nr_packets, counts->records);
	} while ((step == READER_RUN_OK || step == READER_RUN_AGAIN) &&
		 !stop_signal);
	cli_hide();
	if (!cli_around_end(around))
		step = READER_RUN_FAILED;
	(void)reader_sink_flush(sink);
	/* Whoever read has seen enough. */
	if (sink->write_error == EPIPE || sink->write_error == EINTR)
		return CLI_OK;
	if (sink->write_error) {
		cli_error("cannot write: %s", strerror(sink->write_error));
		return CLI_FAILED;
	}
	if (!around->around.is_refused)
		summarize(counts, &files->check);
	cli_around_report(around);
	if (step == READER_RUN_FAILED || files->is_partial ||
	    around->around.is_refused)
		return CLI_FAILED;
	return lost_fails && (counts->gaps || counts->lost_packets) ? CLI_LOST
								    : CLI_OK;
}

static int read_paths(const struct options *options, const char *const *paths)
{
	struct reader_files files = {
		.graph.sink = { .fd = STDOUT_FILENO, .stop = &stop_signal },
	};
	struct reader_record_options *record =
		&files.graph.sink.records.options;
	struct cli_around around = { 0 };
	int status = CLI_FAILED;

	if (!cli_read_options(&options->read, record) ||
	    !parse_time("--begin", options->begin, &record->filter.begin) ||
	    !parse_time("--end", options->end, &record->filter.end))
		return CLI_USAGE;
	if (!cli_around_open(&around, &options->around, &files.graph.sink))
		return CLI_USAGE;
	set_handler(SIGPIPE, SIG_IGN);
	set_handler(SIGINT, note_signal);
	set_handler(SIGTERM, note_signal);
	if (!reader_files_open(&files, paths))
		status = run(&files, &around, options->lost_fails);
	reader_files_close(&files);
	cli_around_close(&around);
	if (stop_signal) {
		set_handler(stop_signal, SIG_DFL);
		(void)raise(stop_signal);
	}
	return status;
}

int cli_read(int argc, char **argv)
{
	static const struct cli_command command = {
		.name = "read",
		.help = help,
	};
	struct options options = { 0 };
	const struct poptOption table[] = {
		CLI_READ_OPTIONS(&options.read),
		{ "begin", 'b', POPT_ARG_STRING, &options.begin, 0, NULL,
		  NULL },
		{ "end", 'e', POPT_ARG_STRING, &options.end, 0, NULL, NULL },
		{ "lost-fails", 0, POPT_ARG_NONE, &options.lost_fails, 0, NULL,
		  NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	poptContext context;
	const char **paths;
	int status;

	if (!cli_around_parse(&argc, argv, &options.around))
		return CLI_USAGE;
	context = cli_parse(&command, table, argc, argv, &status);
	if (context) {
		paths = poptGetArgs(context);
		if (paths) {
			status = read_paths(&options,
					    (const char *const *)paths);
		} else {
			cli_error("read: give the folder of a trace; see "
				  "nftrace read --help");
			status = CLI_USAGE;
		}
		poptFreeContext(context);
	}
	cli_read_options_free(&options.read);
	free(options.begin);
	free(options.end);
	return status;
}
