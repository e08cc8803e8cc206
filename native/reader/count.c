// SPDX-License-Identifier: MIT
/* Counts a trace's events; see reader/count.h. */
#include "reader/count.h"

#include <errno.h>

#include <babeltrace2/babeltrace.h>

#include "base/level.h"
#include "reader/files.h"

#define EVENTS_BETWEEN_QUESTIONS 10000

/* What is being counted. */
struct counter {
	struct reader_record_count *count; /* weak */
	const bt_event_class *last_class;  /* weak; the one looked at last */
	bool last_is_record;
	uint64_t until_question;
};

static int count_message(void *data, const bt_message *message)
{
	struct counter *counter = data;
	const bt_event_class *class;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT)
		return 0;
	class = bt_event_borrow_class_const(
		bt_message_event_borrow_event_const(message));
	if (class != counter->last_class) {
		const char *name = bt_event_class_get_name(class);

		counter->last_class = class;
		counter->last_is_record = name && base_level_is_event(name);
	}
	if (counter->last_is_record)
		counter->count->records++;
	else
		counter->count->others++;
	counter->until_question++;
	return 0;
}

static bool is_interrupted(struct counter *counter)
{
	if (counter->until_question < EVENTS_BETWEEN_QUESTIONS)
		return false;
	counter->until_question = 0;
	return counter->count->interrupted &&
	       counter->count->interrupted(counter->count->data);
}

static int run(struct reader_files *files, struct counter *counter)
{
	enum reader_run step;

	do {
		step = reader_graph_step(&files->graph);
		if (is_interrupted(counter))
			return -EINTR;
	} while (step == READER_RUN_OK || step == READER_RUN_AGAIN);
	return step == READER_RUN_FAILED || files->is_partial ? -EIO : 0;
}

int reader_record_count(const char *path, struct reader_record_count *count)
{
	const char *const paths[] = { path, NULL };
	struct counter counter = { .count = count };
	const struct reader_consumer consumer = {
		.message = count_message,
		.data = &counter,
	};
	struct reader_files files = {
		.may_be_empty = true,
		.graph.sink = { .fd = -1, .consumer = &consumer },
	};
	int ret;

	if (!reader_files_open(&files, paths))
		ret = run(&files, &counter);
	else
		ret = files.is_partial ? -EIO : 0;
	reader_files_close(&files);
	return ret;
}
