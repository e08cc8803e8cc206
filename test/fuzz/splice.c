// SPDX-License-Identifier: MIT
/*
 * libFuzzer's target for the JSON splice: whatever stands in `fields`, yajl
 * agrees on whether it is an object (for ASCII), and what is written is JSON on one line
 * with no unseen character in it; whatever its white space says of the order, each core
 * member stands at most once elsewhere, between two members.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "reader/json.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says why and stops, which libFuzzer takes for a crash. */
static void fail(const char *why, const struct base_text *text)
{
	(void)fprintf(stderr, "%s:\n%.*s\n", why, (int)text->size, text->data);
	abort();
}

/* Whether yajl takes @text for one JSON value. */
static bool is_json(const char *text, size_t size)
{
	yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
	bool is_valid;

	if (!parser)
		abort();
	is_valid = yajl_parse(parser, (const unsigned char *)text, size) ==
			   yajl_status_ok &&
		   yajl_complete_parse(parser) == yajl_status_ok;
	yajl_free(parser);
	return is_valid;
}

static bool is_json_within(const char *before, const char *text, size_t size,
			   const char *after)
{
	struct base_text whole = { 0 };
	bool is_valid;

	base_text_append(&whole, before);
	base_text_bytes(&whole, text, size);
	base_text_append(&whole, after);
	is_valid = is_json(whole.data, whole.size);
	base_text_free(&whole);
	return is_valid;
}

/*
 * The same for an object, of ASCII. By itself, yajl doesn't mind half a string
 * after it; what stands in an array and as a member is one value.
 */
static bool is_object(const char *text, size_t size)
{
	size_t space = 0;

	/* Form feeds and overlong UTF-8 are fine with yajl; JSON has neither. */
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] >= 0x80 || text[i] == '\f' ||
		    text[i] == '\v')
			return false;
	while (space < size && text[space] && strchr(" \t\n\r", text[space]))
		space++;
	return space < size && text[space] == '{' &&
	       is_json_within("[", text, size, "]") &&
	       is_json_within("{\"a\":", text, size, "}");
}

static void check_safe(const struct base_text *text)
{
	const char *end = text->data + text->size;
	uint32_t code;

	for (const char *at = text->data; at < end; at++)
		if (base_utf8_unseen(at, end, &code))
			fail("an unseen character gets through", text);
}

static void check_order(const struct reader_order *order,
			const struct base_text *members)
{
	unsigned int moved = 0;
	size_t last = 0;

	for (size_t i = 0; i < order->nr_places; i++) {
		size_t offset = order->places[i].offset;

		if (offset < last || offset > members->size ||
		    (offset < members->size && members->data[offset] != ','))
			fail("a core member stands inside another one",
			     members);
		if (moved & 1U << order->places[i].core)
			fail("a core member stands at two places", members);
		moved |= 1U << order->places[i].core;
		last = offset;
	}
	if (moved != order->moved)
		fail("what stands elsewhere isn't what the order says",
		     members);
}

/* All that a record has of an object: its members, and the core ones. */
static void put_together(struct base_text *line, const struct reader_json *json,
			 const struct base_text *members)
{
	base_text_literal(line, "{\"level\":30");
	base_text_bytes(line, members->data ? members->data : "",
			members->size);
	for (enum reader_json_core core = 0; core < READER_JSON_NR_CORE;
	     core++) {
		base_text_literal(line, ",\"core\":");
		if (!reader_json_value(json, core, line))
			base_text_literal(line, "null");
	}
	base_text_literal(line, "}");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader_json json = { 0 };
	struct base_text members = { 0 };
	struct base_text line = { 0 };
	char *object = malloc(size + 1);
	bool is_spliced;

	if (!object)
		return 0;
	memcpy(object, data, size);
	object[size] = '\0';
	is_spliced = reader_json_splice(&json, &members, object, size);
	check_order(&json.order, &members);
	if (!is_spliced &&
	    (members.size || json.has_core || json.order.nr_places))
		fail("something is left of what isn't an object", &members);
	if (!is_spliced && is_object(object, size))
		fail("an object is refused", &members);
	put_together(&line, &json, &members);
	check_safe(&line);
	if (!is_json(line.data, line.size))
		fail("what is written isn't JSON", &line);
	line.size = 0;
	base_text_string(&line, object, size);
	check_safe(&line);
	if (!is_json(line.data, line.size))
		fail("a string isn't JSON", &line);
	base_text_free(&line);
	base_text_free(&members);
	reader_json_free(&json);
	free(object);
	return 0;
}
