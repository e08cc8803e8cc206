/* SPDX-License-Identifier: MIT */
/*
 * Lines out of a stream of bytes, in constant memory: of a line's very long
 * strings only the beginning is kept, more than an event could hold anyway, and
 * what was left out is counted.
 */
#ifndef NFTRACE_NATIVE_PIPE_LINE_H
#define NFTRACE_NATIVE_PIPE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/parse.h"

/* These can be set for a build that tests what happens beyond them. */
#ifndef PIPE_LINE_WHOLE
/* A longer line is looked into. Bytes. */
#define PIPE_LINE_WHOLE ((size_t)1 << 20)

/*
 * The most of a line that is kept, unless a record may take more than an eighth
 * of it; the rest is only counted. Bytes.
 */
#define PIPE_LINE_MAX ((size_t)8 << 20)

/*
 * Of a string in a line that is looked into, so much is kept, unless a record
 * may take more than a sixth of it: JSON may need six bytes for what is one in
 * an event. Bytes.
 */
#define PIPE_LINE_STRING_MAX ((size_t)6 << 16)
#endif

#define PIPE_LINE_MAX_ELISIONS (PIPE_LINE_MAX / PIPE_LINE_STRING_MAX + 1)

/* A line without its end. */
struct pipe_line {
	struct base_slice text; /* weak; until the next call */
	size_t cut;		/* bytes at its end that weren't kept */
	size_t left_out;	/* bytes in the middle of it */
	const struct pipe_elision *elisions; /* weak; what these were */
	size_t nr_elisions;
};

/* The line that is being gathered; all zeros, then pipe_liner_begin(). */
struct pipe_liner {
	size_t max_line;   /* bytes that are kept of one */
	size_t max_string; /* the same of a string in a long one */
	struct base_text bytes;
	bool is_long; /* it is being looked into */
	size_t cut;   /* as in struct pipe_line */
	size_t left_out;

	/* While it is looked into: */
	bool in_string;
	size_t string_size; /* kept of the string, bytes */
	size_t escape_size; /* read of an escape, bytes; 0: not in one */
	unsigned int unit;  /* the value of a \u escape so far */
	unsigned int high;  /* half of a pair that was just read; 0: none */
	uint64_t nr_strings;
	bool is_eliding;
	struct pipe_elision elisions[PIPE_LINE_MAX_ELISIONS];
	size_t nr_elisions;
};

/* For records that are cut to @limit bytes. */
void pipe_liner_begin(struct pipe_liner *liner, size_t limit);

/*
 * Takes the next bytes of the stream, up to the end of a line at most, and
 * moves *@bytes past them. Returns how many lines are complete: 1, then *@line is
 * it, without \n or \r\n, or 0; or -ENOMEM. Call it until *@bytes is empty.
 */
int pipe_liner_next(struct pipe_liner *liner, struct base_slice *bytes,
		    struct pipe_line *line);

/* At the stream's end: the last line, if it has no \n. */
bool pipe_liner_last(struct pipe_liner *liner, struct pipe_line *line);

/* Frees what a liner owns. */
void pipe_liner_free(struct pipe_liner *liner);

#endif /* NFTRACE_NATIVE_PIPE_LINE_H */
