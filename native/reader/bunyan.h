/* SPDX-License-Identifier: MIT */
/* From the payload of a Bunyan event to the line that Bunyan would have written. */
#ifndef NFTRACE_NATIVE_READER_BUNYAN_H
#define NFTRACE_NATIVE_READER_BUNYAN_H

#include <stddef.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "reader/class.h"
#include "reader/record.h"

/* A member of the payload of a Bunyan event. */
const bt_field *reader_bunyan_member(const struct reader_class *class,
				     const bt_field *payload,
				     enum reader_member which);

/* The same of a member that is a number. */
int64_t reader_bunyan_integer(const struct reader_class *class,
			      const bt_field *payload,
			      enum reader_member which);

/*
 * Appends a line to records->text up to the record's message: the head, which is who
 * logged and the level, and the members of `fields`. The head comes first, and only
 * `fields`, which follows, tells whether it is another one.
 */
void reader_bunyan_begin(struct reader_records *records,
			 const struct reader_class *class,
			 const bt_field *payload);

/* Appends the rest of a line that begins at @begin in records->text. */
void reader_bunyan_end(struct reader_records *records,
		       const struct reader_class *class,
		       const bt_field *payload, size_t begin);

#endif /* NFTRACE_NATIVE_READER_BUNYAN_H */
