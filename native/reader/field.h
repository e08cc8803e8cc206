/* SPDX-License-Identifier: MIT */
/* Any field of a trace as a JSON value. */
#ifndef NFTRACE_NATIVE_READER_FIELD_H
#define NFTRACE_NATIVE_READER_FIELD_H

#include <babeltrace2/babeltrace.h>

#include "base/text.h"

/*
 * Appends @field: structures as objects, integers as base_text_integer()
 * does, enumerations as their label, an absent option, NaN and infinities as
 * null.
 */
void reader_field_append(struct base_text *text, const bt_field *field);

/*
 * Appends the members of the structure @structure, each with a comma before
 * it; nothing if @structure is NULL.
 */
void reader_field_append_members(struct base_text *text,
				 const bt_field *structure);

/*
 * The integer @name of the structure @structure. Returns whether there is one
 * that fits; @structure may be NULL.
 */
bool reader_field_integer(const bt_field *structure, const char *name,
			  int64_t *value);

#endif /* NFTRACE_NATIVE_READER_FIELD_H */
