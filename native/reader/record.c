// SPDX-License-Identifier: MIT
/* From a trace's messages to Bunyan lines; see reader/record.h. */
#include "reader/record.h"

#include <errno.h>
#include <string.h>

#include "base/line.h"

_Static_assert(NFT_BUNYAN_NR_FIELDS == 7, "append_bunyan() prints each field");

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

/* A member of the payload of a Bunyan event. */
static const bt_field *member(const struct reader_class *class,
			      const bt_field *payload, enum reader_member which)
{
	return bt_field_structure_borrow_member_field_by_index_const(
		payload, class->members[which]);
}

static int64_t member_integer(const struct reader_class *class,
			      const bt_field *payload, enum reader_member which)
{
	return bt_field_integer_signed_get_value(member(class, payload, which));
}

/* Sets who logged last. */
static void set_identity(struct reader_identity *identity, const char *name,
			 const char *hostname, int64_t pid)
{
	struct base_text *text = &identity->text;

	base_text_cut(text, 0);
	base_line_identity(text, name, strlen(name), hostname, pid);
	identity->pid = pid;
	base_text_cut(&identity->strings, 0);
	base_text_bytes(&identity->strings, name, strlen(name) + 1);
	identity->hostname_offset = identity->strings.size;
	base_text_bytes(&identity->strings, hostname, strlen(hostname) + 1);
}

/* Appends a core member's value: `fields` wins over the flat payload. */
static void append_text(struct reader_records *records,
			enum reader_json_core core, const bt_field *field)
{
	if (!reader_json_value(&records->json, core, &records->text))
		base_text_string(&records->text,
				 bt_field_string_get_value(field),
				 bt_field_string_get_length(field));
}

static void append_number(struct reader_records *records,
			  enum reader_json_core core, int64_t value)
{
	if (!reader_json_value(&records->json, core, &records->text))
		base_text_integer(&records->text, value);
}

/*
 * What Bunyan writes before a record's own members. Who logs is mostly who
 * logged before, so that text is kept.
 */
static void append_head(struct reader_records *records,
			const struct reader_class *class,
			const bt_field *payload, int64_t level)
{
	struct base_text *text = &records->text;
	struct reader_identity *last = &records->last_identity;
	const char *name =
		bt_field_string_get_value(member(class, payload, READER_NAME));
	const char *hostname = bt_field_string_get_value(
		member(class, payload, READER_HOSTNAME));
	int64_t pid = member_integer(class, payload, READER_PID);

	if (!last->text.size || pid != last->pid ||
	    strcmp(name, last->strings.data) != 0 ||
	    strcmp(hostname, last->strings.data + last->hostname_offset) != 0)
		set_identity(last, name, hostname, pid);
	base_text_bytes(text, last->text.data, last->text.size);
	base_line_key(text, ",", level);
	base_text_integer(text, level);
}

/* Appends a core member, behind a comma but at the beginning of a line, at @begin. */
static void append_core(struct reader_records *records,
			const struct reader_class *class,
			const bt_field *payload, enum reader_json_core core,
			size_t begin)
{
	struct base_text *text = &records->text;

	base_text_char(text, text->size == begin ? '{' : ',');
	switch (core) {
	case READER_JSON_NAME:
		base_line_key(text, "", name);
		append_text(records, core, member(class, payload, READER_NAME));
		break;
	case READER_JSON_HOSTNAME:
		base_line_key(text, "", hostname);
		append_text(records, core,
			    member(class, payload, READER_HOSTNAME));
		break;
	case READER_JSON_PID:
		base_line_key(text, "", pid);
		append_number(records, core,
			      member_integer(class, payload, READER_PID));
		break;
	case READER_JSON_LEVEL:
		base_line_key(text, "", level);
		append_number(records, core,
			      member_integer(class, payload, READER_LEVEL));
		break;
	case READER_JSON_MSG:
		base_line_key(text, "", msg);
		append_text(records, core, member(class, payload, READER_MSG));
		break;
	case READER_JSON_TIME:
		base_line_key(text, "", time);
		if (!reader_json_value(&records->json, core, text))
			base_time_append(
				&records->time, text,
				member_integer(class, payload, READER_TIME));
		break;
	case READER_JSON_V:
	case READER_JSON_NR_CORE:
		base_text_literal(text, "\"v\":");
		append_number(records, READER_JSON_V, 0);
		break;
	}
}

/* Appends those of some core members that don't stand elsewhere. */
static void append_cores(struct reader_records *records,
			 const struct reader_class *class,
			 const bt_field *payload,
			 const enum reader_json_core *cores, size_t nr_cores,
			 size_t begin)
{
	for (size_t i = 0; i < nr_cores; i++)
		if (!(records->json.order.moved & 1U << cores[i]))
			append_core(records, class, payload, cores[i], begin);
}

/* What a record has before the members of `fields`, and after them. */
static const enum reader_json_core head[] = {
	READER_JSON_NAME,
	READER_JSON_HOSTNAME,
	READER_JSON_PID,
	READER_JSON_LEVEL,
};
static const enum reader_json_core tail[] = {
	READER_JSON_MSG,
	READER_JSON_TIME,
	READER_JSON_V,
};
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Appends a part of records->members, which begins with a comma unless it is empty. */
static void append_part(struct reader_records *records, size_t from, size_t to,
			size_t begin)
{
	struct base_text *text = &records->text;

	if (from == to)
		return;
	base_text_char(text, text->size == begin ? '{' : ',');
	base_text_bytes(text, records->members.data + from + 1, to - from - 1);
}

/*
 * Writes the head and the members of `fields` anew, where `fields` says that core
 * members have other values or stand elsewhere. They are in @text from @members on.
 */
static void rewrite_members(struct reader_records *records,
			    const struct reader_class *class,
			    const bt_field *payload, size_t begin,
			    size_t members)
{
	const struct reader_order *order = &records->json.order;
	struct base_text *text = &records->text;
	size_t done = 0;

	base_text_cut(&records->members, 0);
	base_text_bytes(&records->members, text->data + members,
			text->size - members);
	base_text_cut(text, begin);
	if (records->members.failed) {
		base_text_fail(text);
		return;
	}
	append_cores(records, class, payload, head, LENGTH(head), begin);
	for (size_t i = 0; i < order->nr_places; i++) {
		size_t place = order->places[i].offset - members;

		append_part(records, done, place, begin);
		append_core(records, class, payload, order->places[i].core,
			    begin);
		done = place;
	}
	append_part(records, done, records->members.size, begin);
}

/* Whether `fields` has a value for a member of the head. */
static bool has_own_head(const struct reader_json *json)
{
	if (!json->has_core)
		return false;
	for (size_t i = 0; i < LENGTH(head); i++)
		if (json->core[head[i]].size)
			return true;
	return false;
}

/*
 * What Bunyan writes up to a record's message. The head comes first, and only
 * `fields`, which follows, tells whether it is another one.
 */
static void append_members(struct reader_records *records,
			   const struct reader_class *class,
			   const bt_field *payload)
{
	struct base_text *text = &records->text;
	struct reader_json *json = &records->json;
	const bt_field *fields = member(class, payload, READER_FIELDS);
	const char *object = bt_field_string_get_value(fields);
	size_t size = bt_field_string_get_length(fields);
	size_t begin = text->size;
	size_t members;

	reader_json_forget(json);
	append_head(records, class, payload,
		    member_integer(class, payload, READER_LEVEL));
	members = text->size;
	if (!reader_json_splice(json, text, object, size)) {
		base_text_literal(text, ",\"nftrace_fields\":");
		base_text_string(text, object, size);
	}
	if (json->order.nr_places > 0 || has_own_head(json))
		rewrite_members(records, class, payload, begin, members);
}

static bool is_wanted(const struct base_filter *filter,
		      const struct reader_class *class, const bt_field *payload)
{
	int64_t time = member_integer(class, payload, READER_TIME);
	const bt_field *name;

	if (member_integer(class, payload, READER_LEVEL) < filter->level ||
	    !base_filter_time(filter, time, time))
		return false;
	if (!filter->name)
		return true;
	name = member(class, payload, READER_NAME);
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
	append_members(records, class, payload);
	if (records->options.context)
		append_context(records, message, class->name);
	append_cores(records, class, payload, tail, LENGTH(tail), begin);
	base_text_literal(text, "}\n");
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
