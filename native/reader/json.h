/* SPDX-License-Identifier: MIT */
/*
 * Splices the members of a JSON object, as an event's `fields` holds it, into
 * another object that is being written.
 */
#ifndef NFTRACE_NATIVE_READER_JSON_H
#define NFTRACE_NATIVE_READER_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "reader/order.h"

/* What reader_json_splice() finds. Zeroed at first. */
struct reader_json {
	/* Values of core members, one after the other. */
	struct base_text values;
	/* The brackets that are open. */
	struct base_text open;
	/* Where in values each core member is; size 0: it wasn't there. */
	struct {
		size_t offset;
		size_t size;
	} core[READER_JSON_NR_CORE];
	/* Where core members are to stand; offsets into the text of the members. */
	struct reader_order order;
	bool has_core;
	bool has_context; /* there was a member "context", which was spliced */
};

/* Makes @json ready for another object. */
void reader_json_forget(struct reader_json *json);

/*
 * Appends to @text each member of the object in @object, with a comma before
 * each, but for core members: those go to @json. The values stay as they are,
 * byte for byte, less white space between tokens, and with unseen characters (see
 * base/utf8.h) escaped; nothing that is appended is obeyed by a terminal or
 * ends a line.
 * @object has @size bytes and a NUL after them; @json knows of no other object.
 * Returns whether @object is a JSON object; if not, nothing is appended and
 * @json says that there was no member. Memory that runs out shows in
 * text->failed, json->values.failed and json->open.failed.
 */
bool reader_json_splice(struct reader_json *json, struct base_text *text,
			const char *object, size_t size);

/*
 * Appends the value of a core member to @text. Returns whether it was there.
 */
bool reader_json_value(const struct reader_json *json,
		       enum reader_json_core core, struct base_text *text);

/* Frees what @json holds and makes it empty. */
void reader_json_free(struct reader_json *json);

#endif /* NFTRACE_NATIVE_READER_JSON_H */
