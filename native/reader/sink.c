// SPDX-License-Identifier: MIT
/* The sink component that writes Bunyan lines; see reader/sink.h. */
#include "reader/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FLUSH_BYTES   ((size_t)64 * 1024)
#define NS_PER_SECOND INT64_C(1000000000)
/*
 * How long a live input that says nothing can hold up the others, so that a
 * host that is gone doesn't silence those that aren't.
 */
#define PATIENCE_NS (INT64_C(250) * 1000 * 1000)

/* An input port, and the messages that came through it. */
struct reader_input {
	bt_message_iterator *iterator;	 /* a reference is held; NULL: ended */
	bt_message_array_const messages; /* the iterator's; a reference each */
	uint64_t nr_messages;
	uint64_t next;
	int64_t time; /* of messages[next], else of the last; ns since epoch */
	bool is_waiting; /* a live one that has nothing now */
	bool has_failed; /* what was read of it is all that is readable */
	const bt_stream *stream; /* the last that began; a reference is held */
};

/* What initialize() is given. */
struct initialization {
	struct reader_sink *sink; /* weak */
	size_t nr_inputs;
};

/* Waits until it can be written to. Returns 0 or a negative errno. */
static int wait_writable(int fd)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };

	return poll(&writable, 1, -1) < 0 ? -errno : 0;
}

/* Returns 0 or a negative errno. */
static int write_all(struct reader_sink *sink, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(sink->fd, data, size);

		if (written >= 0) {
			data += written;
			size -= (size_t)written;
			continue;
		}
		if (errno == EAGAIN && !wait_writable(sink->fd))
			continue;
		if (errno == EINTR && !(sink->stop && *sink->stop))
			continue;
		sink->write_error = errno;
		return -sink->write_error;
	}
	return 0;
}

int reader_sink_flush(struct reader_sink *sink)
{
	struct base_text *text = &sink->records.text;
	int ret;

	if (sink->write_error)
		return -sink->write_error;
	ret = write_all(sink, text->data, text->size);
	base_text_cut(text, 0);
	return ret;
}

static int64_t now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* The clock that orders a message; NULL for one that may go at any time. */
static const bt_clock_snapshot *message_clock(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		if (!bt_message_event_borrow_stream_class_default_clock_class_const(
			    message))
			return NULL;
		return bt_message_event_borrow_default_clock_snapshot_const(
			message);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		if (!bt_stream_class_discarded_events_have_default_clock_snapshots(
			    bt_stream_borrow_class_const(
				    bt_message_discarded_events_borrow_stream_const(
					    message))))
			return NULL;
		return bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
			message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		if (!bt_stream_class_discarded_packets_have_default_clock_snapshots(
			    bt_stream_borrow_class_const(
				    bt_message_discarded_packets_borrow_stream_const(
					    message))))
			return NULL;
		return bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
			message);
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(
			message);
	default:
		return NULL;
	}
}

/* Finds out the time of the next message; one without goes at once. */
static void update_time(struct reader_sink *sink, struct reader_input *input)
{
	const bt_clock_snapshot *clock =
		message_clock(input->messages[input->next]);
	int64_t time;

	if (clock && reader_clocks_ns(&sink->records.clocks, clock, &time))
		input->time = time;
}

/* What people call an input: the file that a stream is in. */
static const char *input_name(const struct reader_input *input)
{
	const char *name = input->stream ? bt_stream_get_name(input->stream)
					 : NULL;

	return name ? name : "a stream";
}

/* Returns 0 or -ENOMEM. */
static int note_stream(struct reader_sink *sink, struct reader_input *input)
{
	const bt_message *message = input->messages[input->next];

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_STREAM_BEGINNING)
		return 0;
	bt_stream_put_ref(input->stream);
	input->stream =
		bt_message_stream_beginning_borrow_stream_const(message);
	bt_stream_get_ref(input->stream);
	if (sink->consumer && sink->consumer->stream)
		sink->consumer->stream(sink->consumer->data, input->stream);
	if (!sink->has_common_epoch)
		return 0;
	return reader_clocks_add(&sink->records.clocks, input->stream,
				 sink->mip);
}

/*
 * The first messages of all inputs are here. Returns 0, or a negative errno if no
 * others are wanted.
 */
static int begin(struct reader_sink *sink)
{
	sink->is_begun = true;
	if (sink->has_common_epoch)
		reader_clocks_settle(&sink->records.clocks);
	for (size_t i = 0; i < sink->nr_inputs; i++) {
		struct reader_input *input = &sink->inputs[i];

		if (input->iterator && input->next < input->nr_messages)
			update_time(sink, input);
	}
	if (!sink->consumer || !sink->consumer->begin)
		return 0;
	return sink->consumer->begin(sink->consumer->data);
}

static void close_input(struct reader_sink *sink, struct reader_input *input)
{
	if (!input->iterator)
		return;
	while (input->next < input->nr_messages)
		bt_message_put_ref(input->messages[input->next++]);
	bt_stream_put_ref(input->stream);
	bt_message_iterator_put_ref(input->iterator);
	input->iterator = NULL;
	sink->nr_open--;
}

/*
 * Whether an iterator has failed whatever its status says: in version 2.0 that of
 * CTF files hands out what it had before it failed, or ends, and leaves its error.
 */
static bool has_failed(void)
{
	const bt_error *error = bt_current_thread_take_error();

	if (!error)
		return false;
	bt_current_thread_move_error(error);
	return true;
}

/* Says that an input can't be read on. Returns false if nobody listens. */
static bool report_failed(const struct reader_sink *sink,
			  struct reader_input *input)
{
	if (!sink->failed)
		return false;
	sink->failed(sink->data, input_name(input));
	/* An error that was not for the listener would end the graph. */
	bt_current_thread_clear_error();
	input->has_failed = true;
	return true;
}

/* Gets more messages for an input that has none left. */
static bt_component_class_sink_consume_method_status
refill(struct reader_sink *sink, struct reader_input *input)
{
	bt_message_iterator_next_status status;

	if (input->has_failed) {
		close_input(sink, input);
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	}
	input->next = 0;
	input->nr_messages = 0;
	status = bt_message_iterator_next(input->iterator, &input->messages,
					  &input->nr_messages);
	input->is_waiting = status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN;
	if (status >= 0 && has_failed() && !report_failed(sink, input))
		bt_current_thread_clear_error();
	switch (status) {
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
		if (note_stream(sink, input))
			return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
		update_time(sink, input);
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
		close_input(sink, input);
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	default:
		input->nr_messages = 0;
		if (!report_failed(sink, input))
			return (bt_component_class_sink_consume_method_status)
				status;
		close_input(sink, input);
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	}
}

/* Whose turn it is. */
struct turn {
	struct reader_input *input; /* weak; NULL: nobody's */
	int64_t until;		    /* the others' turn comes after; ns */
};

static struct turn find_turn(const struct reader_sink *sink)
{
	struct turn turn = { .until = INT64_MAX };
	int64_t late = INT64_MIN;

	for (size_t i = 0; i < sink->nr_inputs; i++) {
		struct reader_input *input = &sink->inputs[i];

		if (!input->iterator)
			continue;
		if (input->is_waiting) {
			if (late == INT64_MIN)
				late = now_ns() - PATIENCE_NS;
			if (turn.until > input->time && turn.until > late)
				turn.until = input->time > late ? input->time
								: late;
		} else if (!turn.input || input->time < turn.input->time) {
			if (turn.input && turn.input->time < turn.until)
				turn.until = turn.input->time;
			turn.input = input;
		} else if (input->time < turn.until) {
			turn.until = input->time;
		}
	}
	if (turn.input && turn.input->time > turn.until)
		turn.input = NULL;
	return turn;
}

static int pass_message(struct reader_sink *sink, const bt_message *message)
{
	return sink->consumer
		       ? sink->consumer->message(sink->consumer->data, message)
		       : reader_records_message(&sink->records, message);
}

/*
 * Writes the messages of an input until its turn or its messages end. Returns 0 or
 * -ENOMEM.
 */
static int run_turn(struct reader_sink *sink, const struct turn *turn)
{
	struct reader_input *input = turn->input;

	while (input->time <= turn->until) {
		const bt_message *message = input->messages[input->next++];
		int ret = pass_message(sink, message);

		bt_message_put_ref(message);
		if (ret)
			return ret;
		if (input->next == input->nr_messages)
			break;
		update_time(sink, input);
	}
	return 0;
}

bt_component_class_sink_consume_method_status
reader_sink_consume(bt_self_component_sink *self)
{
	bt_self_component *component =
		bt_self_component_sink_as_self_component(self);
	struct reader_sink *sink = bt_self_component_get_data(component);
	struct turn turn;
	bool is_due;

	for (size_t i = 0; i < sink->nr_inputs; i++) {
		struct reader_input *input = &sink->inputs[i];
		bt_component_class_sink_consume_method_status status;

		if (!input->iterator || input->next < input->nr_messages)
			continue;
		status = refill(sink, input);
		if (status !=
		    BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK) {
			(void)reader_sink_flush(sink);
			return status;
		}
	}
	if (!sink->is_begun && begin(sink))
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
	turn = find_turn(sink);
	if (turn.input && run_turn(sink, &turn)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			component, "out of memory");
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
	}
	is_due = !turn.input || sink->is_flushed ||
		 sink->records.text.size >= FLUSH_BYTES;
	if (is_due && reader_sink_flush(sink)) {
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
			component, "cannot write the records (errno %d)",
			sink->write_error);
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
	}
	if (turn.input)
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
	return sink->nr_open
		       ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN
		       : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

bt_component_class_sink_graph_is_configured_method_status
reader_sink_graph_is_configured(bt_self_component_sink *self)
{
	struct reader_sink *sink = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
	uint64_t nr_ports = bt_component_sink_get_input_port_count(
		bt_self_component_sink_as_component_sink(self));

	sink->mip = bt_self_component_get_graph_mip_version(
		bt_self_component_sink_as_self_component(self));
	sink->inputs = calloc(nr_ports, sizeof(*sink->inputs));
	if (!sink->inputs)
		return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_MEMORY_ERROR;
	for (uint64_t i = 0; i < nr_ports; i++) {
		bt_self_component_port_input *port =
			bt_self_component_sink_borrow_input_port_by_index(self,
									  i);
		struct reader_input *input = &sink->inputs[sink->nr_inputs];
		bt_message_iterator_create_from_sink_component_status status;

		status = bt_message_iterator_create_from_sink_component(
			self, port, &input->iterator);
		if (status ==
		    BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK) {
			input->time = INT64_MIN;
			sink->nr_inputs++;
			sink->nr_open++;
		} else if (!sink->failed) {
			return (bt_component_class_sink_graph_is_configured_method_status)
				status;
		} else {
			sink->failed(sink->data, "a stream");
		}
	}
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

void reader_sink_finalize(bt_self_component_sink *self)
{
	struct reader_sink *sink = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	for (size_t i = 0; i < sink->nr_inputs; i++)
		close_input(sink, &sink->inputs[i]);
}

bt_component_class_get_supported_mip_versions_method_status
reader_sink_get_supported_mip_versions(bt_self_component_class_sink *self,
				       const bt_value *parameters, void *data,
				       bt_logging_level log_level,
				       bt_integer_range_set_unsigned *versions)
{
	uint64_t newest = bt_get_maximal_mip_version();

	(void)self;
	(void)parameters;
	(void)data;
	(void)log_level;
	/* Without 1, babeltrace2 2.1 would refuse CTF 2 traces. */
	return (bt_component_class_get_supported_mip_versions_method_status)
		bt_integer_range_set_unsigned_add_range(
			versions, 0, newest < 1 ? newest : 1);
}

static bt_component_class_initialize_method_status
initialize(bt_self_component_sink *self,
	   bt_self_component_sink_configuration *configuration,
	   const bt_value *parameters, void *data)
{
	const struct initialization *wanted = data;

	(void)configuration;
	(void)parameters;
	bt_self_component_set_data(
		bt_self_component_sink_as_self_component(self), wanted->sink);
	for (size_t i = 0; i < wanted->nr_inputs; i++) {
		char name[32];
		bt_self_component_add_port_status status;

		(void)snprintf(name, sizeof(name), "in%zu", i);
		status = bt_self_component_sink_add_input_port(self, name, NULL,
							       NULL);
		if (status != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
			return (bt_component_class_initialize_method_status)
				status;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

bt_component_class_sink *reader_sink_class(void)
{
	bt_component_class_sink *class =
		bt_component_class_sink_create("bunyan", reader_sink_consume);

	if (class &&
	    (bt_component_class_sink_set_initialize_method(class, initialize) !=
		     BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK ||
	     bt_component_class_sink_set_finalize_method(
		     class, reader_sink_finalize) !=
		     BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK ||
	     bt_component_class_sink_set_graph_is_configured_method(
		     class, reader_sink_graph_is_configured) !=
		     BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK ||
	     bt_component_class_sink_set_get_supported_mip_versions_method(
		     class, reader_sink_get_supported_mip_versions) !=
		     BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK)) {
		bt_component_class_sink_put_ref(class);
		return NULL;
	}
	return class;
}

bt_graph_add_component_status
reader_sink_add(struct reader_sink *sink, bt_graph *graph,
		const bt_component_class_sink *class, size_t nr_inputs,
		const bt_component_sink **component)
{
	struct initialization wanted = {
		.sink = sink,
		.nr_inputs = nr_inputs,
	};

	return bt_graph_add_sink_component_with_initialize_method_data(
		graph, class, "sink", NULL, &wanted, BT_LOGGING_LEVEL_NONE,
		component);
}

void reader_sink_free(struct reader_sink *sink)
{
	free(sink->inputs);
	sink->inputs = NULL;
	sink->nr_inputs = 0;
	reader_records_free(&sink->records);
}
