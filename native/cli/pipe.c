// SPDX-License-Identifier: MIT
/* nftrace pipe: log lines on stdin become events. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <nft_bunyan.h>
#include <popt.h>

#include "base/level.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "pipe/line.h"
#include "pipe/record.h"

#define BUFFER_SIZE 65536 /* the capacity of a pipe */

/* clang-format off */
static const char help[] =
	"Usage: SERVICE | nftrace pipe [OPTION…]\n"
	"\n"
	"Turns log lines on stdin into events that LTTng can record, as if the service\n"
	"logged through nftrace itself: for services that cannot be changed, or that log\n"
	"with pino. While no session records any level, nftrace pipe only reads.\n"
	"\n"
	"A line that is a JSON object, as Bunyan and pino write them, becomes the event\n"
	"of its level. name, hostname, pid, time and msg are fields of the event; all\n"
	"other members are in the field fields. Any other line becomes an info record\n"
	"with the line as its msg. Bytes that aren't UTF-8 become U+FFFD. A record that\n"
	"is too large is cut, the largest strings first, and gets the member\n"
	"\"nftrace_truncated\". A long line doesn't need more memory.\n"
	"\n"
	"  -s, --strict          end with an error, naming line and column, at the first\n"
	"                        line that is not a JSON object\n"
	"  -t, --tee             pass everything on to stdout, unchanged; ends when\n"
	"                        stdout is closed\n"
	"  -m, --max-record-bytes=N\n"
	"                        cut records that are larger than N bytes: 1024 to\n"
	"                        67108864, 65536 by default. LTTng drops records that are\n"
	"                        larger than a sub-buffer; see nftrace record --buffers\n"
	"  -h, --help            this text\n"
	"\n"
	"The first Ctrl-C is left to the service: nftrace goes on to the end of its\n"
	"output. The second one ends nftrace.\n"
	"\n"
	"Exit status: 0 at the end of stdin; 1 if LTTng-UST is missing, stdin or stdout\n"
	"fails, or a line is not JSON (--strict); 2 if the command line is wrong.\n"
	"\n"
	"Examples:\n"
	"  node old-service.js | nftrace pipe\n"
	"  node service-with-pino.js | nftrace pipe --tee | pino-pretty\n"
	"  nftrace pipe --strict < yesterday.log\n";
/* clang-format on */

struct pipe {
	const struct nft_bunyan *bunyan;
	int strict; /* what popt sets, as the next one */
	int tee;
	uint64_t line; /* number, from 1 */
	struct pipe_liner liner;
	struct pipe_recorder recorder;
};

static volatile sig_atomic_t interrupted;

/* The service gets its Ctrl-C too, and what it says then is to be recorded. */
static void on_interrupt(int signal)
{
	(void)signal;
	interrupted++;
}

/* Characters of UTF-8 text up to a byte, from 1. */
static size_t column(struct base_slice text, size_t byte)
{
	size_t count = 1;

	for (size_t i = 0; i < byte && i < text.size; i++)
		count += (text.data[i] & 0xc0) != 0x80;
	return count;
}

static bool is_wanted(const struct pipe *pipe)
{
	for (int i = 0; i < NFT_BUNYAN_NR_LEVELS; i++)
		if (nft_enabled(pipe->bunyan->events[i]))
			return true;
	return false;
}

/* Says so. Returns false: not to go on. */
static bool out_of_memory(void)
{
	cli_error("out of memory");
	return false;
}

/* Returns whether to go on. */
static bool record_line(struct pipe *pipe, const struct pipe_line *line)
{
	struct pipe_recorder *recorder = &pipe->recorder;
	struct nft_bunyan_record record;

	pipe->line++;
	if (!line->text.size || (!pipe->strict && !is_wanted(pipe)))
		return true;
	if (pipe_recorder_parse(recorder, line))
		return out_of_memory();
	if (pipe->strict && !recorder->is_json) {
		cli_error("line %" PRIu64 ", column %zu: %s", pipe->line,
			  column(recorder->text, recorder->parser.error_at),
			  line->cut ? "too long" : recorder->parser.error);
		return false;
	}
	if (!nft_enabled(pipe->bunyan->events[recorder->level]))
		return true;
	if (pipe_recorder_build(recorder, &record))
		return out_of_memory();
	nft_bunyan_fire(pipe->bunyan, &record);
	return true;
}

/* Records the lines that end in what was read. Returns whether to go on. */
static bool record_lines(struct pipe *pipe, struct base_slice bytes)
{
	struct pipe_line line;

	while (bytes.size) {
		int count = pipe_liner_next(&pipe->liner, &bytes, &line);

		if (count < 0)
			return out_of_memory();
		if (count && !record_line(pipe, &line))
			return false;
	}
	return true;
}

/* Returns false when stdout is closed, or after saying why it fails. */
static bool pass_on(struct base_slice bytes, int *status)
{
	while (bytes.size) {
		ssize_t written = write(STDOUT_FILENO, bytes.data, bytes.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			*status = errno == EPIPE ? CLI_OK : CLI_FAILED;
			if (errno != EPIPE)
				cli_error("cannot write to stdout: %s",
					  strerror(errno));
			return false;
		}
		bytes.data += written;
		bytes.size -= (size_t)written;
	}
	return true;
}

static int run(struct pipe *pipe)
{
	static char buffer[BUFFER_SIZE];
	int status = CLI_FAILED;
	struct pipe_line line;

	while (interrupted < 2) {
		ssize_t size = read(STDIN_FILENO, buffer, sizeof(buffer));
		struct base_slice bytes = { buffer, (size_t)size };

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0) {
			cli_error("cannot read stdin: %s", strerror(errno));
			return CLI_FAILED;
		}
		if (!size)
			break;
		if (pipe->tee && !pass_on(bytes, &status))
			return status;
		if (!record_lines(pipe, bytes))
			return CLI_FAILED;
	}
	if (pipe_liner_last(&pipe->liner, &line) && !record_line(pipe, &line))
		return CLI_FAILED;
	return CLI_OK;
}

static int set_signals(void)
{
	struct sigaction interrupt = { .sa_handler = on_interrupt };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (!sigaction(SIGINT, &interrupt, NULL) &&
	    !sigaction(SIGPIPE, &ignore, NULL))
		return 0;
	cli_error("cannot handle signals: %s", strerror(errno));
	return -1;
}

static int open_provider(struct pipe *pipe)
{
	int ret = nft_bunyan_open(&pipe->bunyan);

	if (!ret)
		return 0;
	if (nft_unavailable())
		cli_error(
			"%s; install LTTng-UST 2.13 or later (Debian: apt-get "
			"install liblttng-ust1)",
			nft_unavailable());
	else
		cli_error("cannot register the events " BASE_LEVEL_EVENT_PATTERN
			  ": %s",
			  strerror(-ret));
	return -1;
}

/* Reads the argument of --max-record-bytes; NULL: it was not given. */
static bool read_limit(const char *text, size_t *limit)
{
	char *end = NULL;
	unsigned long number = 0;

	if (!text)
		return true;
	if (isdigit((unsigned char)*text))
		number = strtoul(text, &end, 10);
	if (!end || *end || number < NFT_BUNYAN_LIMIT_LEAST ||
	    number > NFT_BUNYAN_LIMIT_MOST) {
		cli_error(
			"--max-record-bytes: \"%s\" is not a number from %d to "
			"%d",
			text, NFT_BUNYAN_LIMIT_LEAST, NFT_BUNYAN_LIMIT_MOST);
		return false;
	}
	*limit = number;
	return true;
}

static int start(struct pipe *pipe)
{
	int status = CLI_FAILED;

	pipe_liner_begin(&pipe->liner, pipe->recorder.limit);
	if (!set_signals() && !open_provider(pipe))
		status = run(pipe);
	pipe_liner_free(&pipe->liner);
	pipe_recorder_free(&pipe->recorder);
	return status;
}

int cli_pipe(int argc, char **argv)
{
	static const struct cli_command command = {
		.name = "pipe",
		.help = help,
	};
	static struct pipe pipe = { .recorder.limit =
					    NFT_BUNYAN_LIMIT_DEFAULT };
	char *limit = NULL;
	const struct poptOption table[] = {
		{ "strict", 's', POPT_ARG_NONE, &pipe.strict, 0, NULL, NULL },
		{ "tee", 't', POPT_ARG_NONE, &pipe.tee, 0, NULL, NULL },
		{ "max-record-bytes", 'm', POPT_ARG_STRING, &limit, 0, NULL,
		  NULL },
		CLI_HELP_OPTION,
		POPT_TABLEEND,
	};
	int status;
	poptContext context = cli_parse(&command, table, argc, argv, &status);

	if (context) {
		status = CLI_USAGE;
		if (read_limit(limit, &pipe.recorder.limit) &&
		    !cli_has_more(context, &command))
			status = start(&pipe);
		poptFreeContext(context);
	}
	free(limit);
	return status;
}
