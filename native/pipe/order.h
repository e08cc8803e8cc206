/* SPDX-License-Identifier: MIT */
/*
 * The order of a line's members, which the event's own fields would lose: white space in
 * `fields` tells it, by the same rules as in lib/record/order.js. docs/events.md is the
 * specification, test/cli-pipe-same.test.js compares the two: change both.
 */
#ifndef NFTRACE_NATIVE_PIPE_ORDER_H
#define NFTRACE_NATIVE_PIPE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "pipe/parse.h"

/* All zeros for each line. */
struct pipe_order {
	/* The flat members that don't stand in their places, in their order. */
	struct {
		enum pipe_flat flat;
		size_t member; /* of fields, before which it stands */
	} marks[PIPE_NR_FLAT];
	size_t nr_marks;
	size_t nr_members; /* of fields so far */
	size_t next_head; /* place of the next one of the head, of those left */
	unsigned int
		tail; /* those of the tail that are in their places as yet */
};

/* Says that a member of the line comes next. */
void pipe_order_add(struct pipe_order *order, enum pipe_flat flat);

/* Appends the marks before a member of fields, which has that number. */
void pipe_order_append(const struct pipe_order *order, struct base_text *fields,
		       size_t member);

/* Appends the list of all marks, which comes behind the closing brace. */
void pipe_order_end(const struct pipe_order *order, struct base_text *fields);

#endif /* NFTRACE_NATIVE_PIPE_ORDER_H */
