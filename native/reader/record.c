// SPDX-License-Identifier: MIT
/* From a trace's messages to Bunyan lines; see reader/record.h. */
#include "reader/record.h"

#include <errno.h>
#include <string.h>

#include "base/line.h"
#include "reader/bunyan.h"

/* Levels of the records that Bunyan didn't make. */
#define LEVEL_OTHER NFT_BUNYAN_NUMBER_TRACE
#define LEVEL_LOSS  NFT_BUNYAN_NUMBER_WARN

static struct reader_class *find_class(struct reader_records *records,
				       const bt_event_class *event_class)
{
	struct reader_class *class = records->last_class;

	if (class && class->event_class == event_class)
		return class;
	class = base_map_get(&records->classes, event_class);
	if (!class) {
		class = reader_class_create(event_class);
		if (!class)
			return NULL;
		if (base_map_add(&records->classes, event_class, class)) {
			reader_class_free(class);
			return NULL;
		}
	}
	records->last_class = class;
	return class;
}

static struct reader_trace *find_trace(struct reader_records *records,
				       const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	struct reader_trace *known = records->last_trace;

	if (known && known->trace == trace)
		return known;
	known = base_map_get(&records->traces, trace);
	if (!known) {
		known = reader_trace_create(trace);
		if (!known)
			return NULL;
		if (base_map_add(&records->traces, trace, known)) {
			reader_trace_free(known);
			return NULL;
		}
	}
	records->last_trace = known;
	return known;
}

static void append_string(struct base_text *text, const char *string)
{
	base_text_string(text, string, strlen(string));
}

/* ns since the Unix epoch; 0 if that is out of range. */
static int64_t snapshot_ns(struct reader_records *records,
			   const bt_clock_snapshot *snapshot)
{
	int64_t ns;

	return reader_clocks_ns(&records->clocks, snapshot, &ns) ? ns : 0;
}

/* ns since the Unix epoch; 0 for an event of a stream without a clock. */
static int64_t event_ns(struct reader_records *records,
			const bt_message *message)
{
	if (!bt_message_event_borrow_stream_class_default_clock_class_const(
		    message))
		return 0;
	return snapshot_ns(
		records,
		bt_message_event_borrow_default_clock_snapshot_const(message));
}

/* NULL for an event of a stream without packets. */
static const bt_field *packet_context(const bt_event *event)
{
	const bt_stream *stream = bt_event_borrow_stream_const(event);

	if (!bt_stream_class_supports_packets(
		    bt_stream_borrow_class_const(stream)))
		return NULL;
	return bt_packet_borrow_context_field_const(
		bt_event_borrow_packet_const(event));
}

/* Where an event was recorded: its exact time, CPU and contexts. */
static void append_context(struct reader_records *records,
			   const bt_message *message, const char *event_name)
{
	struct base_text *text = &records->text;
	const bt_event *event = bt_message_event_borrow_event_const(message);
	int64_t cpu_id;

	base_text_append(text, records->json.has_context
				       ? ",\"nftrace_context\":{\"event\":"
				       : ",\"context\":{\"event\":");
	append_string(text, event_name);
	base_text_literal(text, ",\"timestamp\":");
	base_time_append_ns(&records->time, text, event_ns(records, message));
	if (reader_field_integer(packet_context(event), "cpu_id", &cpu_id)) {
		base_text_literal(text, ",\"cpu_id\":");
		base_text_integer(text, cpu_id);
	}
	reader_field_append_members(
		text, bt_event_borrow_common_context_field_const(event));
	reader_field_append_members(
		text, bt_event_borrow_specific_context_field_const(event));
	base_text_literal(text, "}");
}

static bool is_wanted(const struct base_filter *filter,
		      const struct reader_class *class, const bt_field *payload)
{
	int64_t time = reader_bunyan_integer(class, payload, READER_TIME);
	const bt_field *name;

	if (reader_bunyan_integer(class, payload, READER_LEVEL) <
		    filter->level ||
	    !base_filter_time(filter, time, time))
		return false;
	if (!filter->name)
		return true;
	name = reader_bunyan_member(class, payload, READER_NAME);
	return base_filter_glob(filter->name, bt_field_string_get_value(name),
				bt_field_string_get_length(name));
}

static void append_bunyan(struct reader_records *records,
			  const bt_message *message,
			  const struct reader_class *class)
{
	struct base_text *text = &records->text;
	size_t begin = text->size;
	const bt_field *payload = bt_event_borrow_payload_field_const(
		bt_message_event_borrow_event_const(message));

	if (!is_wanted(&records->options.filter, class, payload))
		return;
	reader_bunyan_begin(records, class, payload);
	if (records->options.context)
		append_context(records, message, class->name);
	reader_bunyan_end(records, class, payload, begin);
	records->counts.records++;
}

/* The process an event comes from; 0 if the trace doesn't say. */
static int64_t event_pid(const bt_event *event,
			 const struct reader_trace *trace)
{
	const bt_field *contexts[] = {
		bt_event_borrow_common_context_field_const(event),
		bt_event_borrow_specific_context_field_const(event),
	};
	int64_t pid;

	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
		if (reader_field_integer(contexts[i], "vpid", &pid) ||
		    reader_field_integer(contexts[i], "pid", &pid))
			return pid;
	return trace->vpid;
}

/* What an event that isn't Bunyan's is called: its provider, or "kernel". */
static const char *provider_name(const char *event_name,
				 const struct reader_trace *trace, size_t *size)
{
	const char *colon = strchr(event_name, ':');

	if (!colon) {
		event_name = *trace->domain ? trace->domain : "trace";
		colon = event_name + strlen(event_name);
	}
	*size = (size_t)(colon - event_name);
	return event_name;
}

static void append_other(struct reader_records *records,
			 const bt_message *message,
			 const struct reader_class *class)
{
	struct base_text *text = &records->text;
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const struct reader_trace *trace =
		find_trace(records, bt_event_borrow_stream_const(event));
	int64_t time = base_time_ms(event_ns(records, message));
	const char *name;
	size_t name_size;

	if (!trace) {
		base_text_fail(text);
		return;
	}
	if (!base_filter_time(&records->options.filter, time, time))
		return;
	name = provider_name(class->name, trace, &name_size);
	base_line_begin(text, name, name_size, trace->hostname,
			event_pid(event, trace), LEVEL_OTHER);
	if (payload) {
		base_text_literal(text, ",\"payload\":");
		reader_field_append(text, payload);
	}
	records->json.has_context = false;
	append_context(records, message, class->name);
	base_line_key(text, ",", msg);
	append_string(text, class->name);
	base_line_end(text, &records->time, time);
	records->counts.records++;
}

static void append_event(struct reader_records *records,
			 const bt_message *message)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct reader_class *class =
		find_class(records, bt_event_borrow_class_const(event));

	if (!class) {
		base_text_fail(&records->text);
	} else if (class->is_bunyan) {
		append_bunyan(records, message, class);
	} else if (records->options.all) {
		append_other(records, message, class);
	} else {
		records->counts.others++;
		records->counts.unknown += class->is_of_provider;
	}
}

/* A stream's file, without the folders: "channel0_1". */
static const char *stream_name(const bt_stream *stream)
{
	const char *name = bt_stream_get_name(stream);
	const char *slash = name ? strrchr(name, '/') : NULL;

	if (slash)
		return slash + 1;
	return name ? name : "";
}

static void append_loss(struct reader_records *records,
			const bt_message *message)
{
	struct base_text *text = &records->text;
	const struct reader_trace *trace;
	struct reader_loss loss;
	const char *what;
	int64_t begin;
	int64_t end;

	if (reader_losses_describe(&records->losses, message, &records->clocks,
				   &loss)) {
		base_text_fail(text);
		return;
	}
	what = loss.are_packets ? "packets" : "events";
	begin = base_time_ms(loss.begin);
	end = base_time_ms(loss.end);
	if ((loss.has_count && !loss.count) ||
	    (loss.has_times &&
	     !base_filter_time(&records->options.filter, begin, end)))
		return;
	trace = find_trace(records, loss.stream);
	if (!trace) {
		base_text_fail(text);
		return;
	}
	base_line_begin(text, "nftrace", sizeof("nftrace") - 1, trace->hostname,
			trace->vpid, LEVEL_LOSS);
	base_text_literal(text, ",\"lost\":{\"");
	base_text_append(text, what);
	base_text_literal(text, "\":");
	if (loss.has_count)
		base_text_unsigned_integer(text, loss.count);
	else
		base_text_literal(text, "null");
	if (loss.has_times) {
		base_text_literal(text, ",\"begin\":");
		base_time_append(&records->time, text, begin);
		base_text_literal(text, ",\"end\":");
		base_time_append(&records->time, text, end);
	}
	base_text_literal(text, ",\"trace\":");
	append_string(text, trace->name);
	base_text_literal(text, ",\"domain\":");
	append_string(text, trace->domain);
	base_text_literal(text, ",\"stream\":");
	append_string(text, stream_name(loss.stream));
	base_line_key(text, "},", msg);
	base_text_literal(text, "\"");
	if (loss.has_count)
		base_text_unsigned(text, loss.count);
	else
		base_text_literal(text, "an unknown number of");
	base_text_literal(text, " ");
	/* "1 event", not "1 events" */
	base_text_bytes(text, what,
			strlen(what) - (loss.has_count && loss.count == 1));
	base_text_literal(text, " lost\"");
	base_line_end(text, &records->time, begin);
	if (loss.are_packets) {
		records->counts.lost_packets += loss.count;
		return;
	}
	records->counts.gaps++;
	records->counts.lost_events += loss.count;
}

int reader_records_message(struct reader_records *records,
			   const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		append_event(records, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		append_loss(records, message);
		break;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		records->counts.packets++;
		break;
	default:
		break;
	}
	return records->text.failed || records->members.failed ||
			       records->last_identity.text.failed ||
			       records->last_identity.strings.failed ||
			       records->json.values.failed ||
			       records->json.open.failed
		       ? -ENOMEM
		       : 0;
}

bool reader_records_wants(struct reader_records *records,
			  const bt_message *message,
			  const struct base_filter *filter)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	const struct reader_class *class =
		find_class(records, bt_event_borrow_class_const(event));

	return class && class->is_bunyan &&
	       is_wanted(filter, class,
			 bt_event_borrow_payload_field_const(event));
}

void reader_records_free(struct reader_records *records)
{
	base_text_free(&records->text);
	base_text_free(&records->members);
	base_text_free(&records->last_identity.text);
	base_text_free(&records->last_identity.strings);
	reader_json_free(&records->json);
	reader_losses_free(&records->losses);
	reader_clocks_free(&records->clocks);
	base_map_free(&records->classes, reader_class_free);
	base_map_free(&records->traces, reader_trace_free);
	records->last_class = NULL;
	records->last_trace = NULL;
}
