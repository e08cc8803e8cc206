// SPDX-License-Identifier: MIT
/* The option --around of `nftrace read`; see cli/read_around.h. */
#include "cli/read_around.h"

#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/read_time.h"

#define OPTION "--around"
/* Of lines in memory: what a window holds at most. */
#define MAX_BYTES ((size_t)32 * 1024 * 1024)

/* Takes arguments out of @argv, which ends with NULL. */
static void remove_arguments(int *argc, char **argv, int first, int count)
{
	memmove(argv + first, argv + first + count,
		(size_t)(*argc - first - count + 1) * sizeof(*argv));
	*argc -= count;
}

bool cli_around_parse(int *argc, char **argv, struct cli_around_option *option)
{
	const size_t size = sizeof(OPTION) - 1;

	for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0; i++) {
		bool is_joined;
		int count;

		if (strncmp(argv[i], OPTION, size) != 0 ||
		    (argv[i][size] != '\0' && argv[i][size] != '='))
			continue;
		is_joined = argv[i][size] == '=';
		count = is_joined ? 2 : 3;
		if (*argc - i < count) {
			cli_error("read: " OPTION " takes an expression and a "
				  "duration, as in " OPTION
				  " 'msg ~ \"timeout\"' 5ms; see nftrace read "
				  "--help");
			return false;
		}
		option->expression = is_joined ? argv[i] + size + 1
					       : argv[i + 1];
		option->duration = argv[i + count - 1];
		remove_arguments(argc, argv, i, count);
		i--;
	}
	return true;
}

static void pass_stream(void *data, const bt_stream *stream)
{
	around_stream(data, stream);
}

static int begin(void *data)
{
	return around_begin(data);
}

static int pass_message(void *data, const bt_message *message)
{
	return around_message(data, message);
}

static void report_wrong(const char *text, const struct expression_error *error)
{
	cli_error(OPTION ": %s, at column %zu:", error->message, error->column);
	cli_print(stderr, "  %s\n", text);
	cli_print(stderr, "  %*s\n", (int)cli_width(text, error->offset) + 1,
		  "^");
}

bool cli_around_open(struct cli_around *around,
		     const struct cli_around_option *option,
		     struct reader_sink *sink)
{
	struct reader_record_options *options = &sink->records.options;
	struct expression_error error;
	int64_t duration;

	if (!option->expression)
		return true;
	if (!cli_read_duration(option->duration, &duration)) {
		cli_error(OPTION ": \"%s\" is not a duration; after the "
				 "expression give one such as 5ms, 200us or 1s",
			  option->duration);
		return false;
	}
	around->around = (struct around){
		.records = &sink->records,
		.expression = expression_parse(option->expression, &error),
		.filter = options->filter,
		.duration = duration,
		.max_bytes = MAX_BYTES,
		.now = INT64_MIN,
	};
	if (!around->around.expression) {
		report_wrong(option->expression, &error);
		return false;
	}
	around->consumer = (struct reader_consumer){
		.stream = pass_stream,
		.begin = begin,
		.message = pass_message,
		.data = &around->around,
	};
	sink->consumer = &around->consumer;
	/* What is chosen is up to it. */
	options->filter = (struct base_filter)BASE_FILTER_ALL;
	options->all = true;
	return true;
}

bool cli_around_end(struct cli_around *around)
{
	if (!around->around.records || !around_end(&around->around))
		return true;
	cli_error("out of memory");
	return false;
}

void cli_around_report(const struct cli_around *around)
{
	const struct around *counts = &around->around;

	if (!counts->records || counts->is_refused)
		return;
	if (!counts->nr_matches)
		cli_error(OPTION ": no record matches%s",
			  counts->events.has.records
				  ? ""
				  : ": there are no Bunyan records "
				    "in this trace");
	if (counts->nr_without_thread)
		cli_error(OPTION
			  ": of %" PRIu64 " of %" PRIu64
			  " records the thread is not known: they lack the "
			  "context vtid",
			  counts->nr_without_thread, counts->nr_matches);
	if (counts->nr_given_up)
		cli_error(OPTION
			  ": %" PRIu64 " events went before it was "
			  "known whether they are wanted, to stay below %zu "
			  "MiB; some before the records may be missing: give a "
			  "shorter duration",
			  counts->nr_given_up, counts->max_bytes >> 20);
}

void cli_around_close(struct cli_around *around)
{
	around_free(&around->around);
	expression_free(around->around.expression);
}
