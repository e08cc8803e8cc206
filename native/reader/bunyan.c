// SPDX-License-Identifier: MIT
/* Writes the lines of Bunyan events; see reader/bunyan.h. */
#include "reader/bunyan.h"

#include <string.h>

#include "base/line.h"

_Static_assert(NFT_BUNYAN_NR_FIELDS == 7, "append_core() prints each field");

const bt_field *reader_bunyan_member(const struct reader_class *class,
				     const bt_field *payload,
				     enum reader_member which)
{
	return bt_field_structure_borrow_member_field_by_index_const(
		payload, class->members[which]);
}

int64_t reader_bunyan_integer(const struct reader_class *class,
			      const bt_field *payload, enum reader_member which)
{
	return bt_field_integer_signed_get_value(
		reader_bunyan_member(class, payload, which));
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
	const char *name = bt_field_string_get_value(
		reader_bunyan_member(class, payload, READER_NAME));
	const char *hostname = bt_field_string_get_value(
		reader_bunyan_member(class, payload, READER_HOSTNAME));
	int64_t pid = reader_bunyan_integer(class, payload, READER_PID);

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
		append_text(records, core,
			    reader_bunyan_member(class, payload, READER_NAME));
		break;
	case READER_JSON_HOSTNAME:
		base_line_key(text, "", hostname);
		append_text(
			records, core,
			reader_bunyan_member(class, payload, READER_HOSTNAME));
		break;
	case READER_JSON_PID:
		base_line_key(text, "", pid);
		append_number(
			records, core,
			reader_bunyan_integer(class, payload, READER_PID));
		break;
	case READER_JSON_LEVEL:
		base_line_key(text, "", level);
		append_number(
			records, core,
			reader_bunyan_integer(class, payload, READER_LEVEL));
		break;
	case READER_JSON_MSG:
		base_line_key(text, "", msg);
		append_text(records, core,
			    reader_bunyan_member(class, payload, READER_MSG));
		break;
	case READER_JSON_TIME:
		base_line_key(text, "", time);
		if (!reader_json_value(&records->json, core, text))
			base_time_append(&records->time, text,
					 reader_bunyan_integer(class, payload,
							       READER_TIME));
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

void reader_bunyan_begin(struct reader_records *records,
			 const struct reader_class *class,
			 const bt_field *payload)
{
	struct base_text *text = &records->text;
	struct reader_json *json = &records->json;
	const bt_field *fields =
		reader_bunyan_member(class, payload, READER_FIELDS);
	const char *object = bt_field_string_get_value(fields);
	size_t size = bt_field_string_get_length(fields);
	size_t begin = text->size;
	size_t members;

	reader_json_forget(json);
	append_head(records, class, payload,
		    reader_bunyan_integer(class, payload, READER_LEVEL));
	members = text->size;
	if (!reader_json_splice(json, text, object, size)) {
		base_text_literal(text, ",\"nftrace_fields\":");
		base_text_string(text, object, size);
	}
	if (json->order.nr_places > 0 || has_own_head(json))
		rewrite_members(records, class, payload, begin, members);
}

void reader_bunyan_end(struct reader_records *records,
		       const struct reader_class *class,
		       const bt_field *payload, size_t begin)
{
	append_cores(records, class, payload, tail, LENGTH(tail), begin);
	base_text_literal(&records->text, "}\n");
}
