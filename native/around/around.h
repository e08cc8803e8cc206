/* SPDX-License-Identifier: MIT */
/*
 * Prints what went on around chosen records: the events of the same thread and
 * of the same CPU within a duration, before and after, and after each record
 * where the thread's time went since the one before.
 */
#ifndef NFTRACE_NATIVE_AROUND_AROUND_H
#define NFTRACE_NATIVE_AROUND_AROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "around/events.h"
#include "expression/expression.h"
#include "base/glob.h"
#include "reader/record.h"
#include "around/ring.h"

/* Zeroed, but for the members before nr_matches, is ready. */
struct around {
	struct reader_records *records; /* weak; lines are made and go there */
	struct expression *expression;	/* weak; which records */
	struct base_filter filter;	/* and of these, which */
	int64_t duration;		/* ns */
	size_t max_bytes; /* of the lines that are kept for what may come */

	uint64_t nr_matches;
	uint64_t nr_without_thread; /* of those: it is not known */
	uint64_t nr_given_up; /* lines that max_bytes made to go too early */
	bool is_refused; /* the traces don't have what it takes; printed why */

	/* The rest is around/around.c's own. */
	struct around_events events;
	struct around_ring ring;
	int64_t now;
};

/* Takes note of a stream that is going to be read. */
void around_stream(struct around *around, const bt_stream *stream);

/*
 * To be called when all streams are known. Returns 0; or -ENODATA, with is_refused,
 * if they lack what it takes, after saying what to record. Says what will be left out
 * for want of some events.
 */
int around_begin(struct around *around);

/*
 * Takes the next message by time. Lines that are due go to records->text.
 * Returns 0 or -ENOMEM.
 */
int around_message(struct around *around, const bt_message *message);

/* Brings the last lines to records->text. Returns 0 or -ENOMEM. */
int around_end(struct around *around);

void around_free(struct around *around);

#endif /* NFTRACE_NATIVE_AROUND_AROUND_H */
