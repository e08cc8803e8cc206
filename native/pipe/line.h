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
#ifndef CLI_LINE_WHOLE
/* A longer line is looked into. Bytes. */
#define CLI_LINE_WHOLE ((size_t)1 << 20)

/*
 * The most of a line that is kept, unless a record may take more than an eighth
 * of it; the rest is only counted. Bytes.
 */
#define CLI_LINE_MAX ((size_t)8 << 20)

/*
 * Of a string in a line that is looked into, so much is kept, unless a record
 * may take more than a sixth of it: JSON may need six bytes for what is one in
 * an event. Bytes.
 */
#define CLI_LINE_STRING_MAX ((size_t)6 << 16)
#endif

#define CLI_LINE_MAX_ELISIONS (CLI_LINE_MAX / CLI_LINE_STRING_MAX + 1)

/* A line without its end. */
struct cli_line {
	struct cli_text text; /* weak; until the next call */
	size_t cut;	      /* bytes at its end that weren't kept */
	size_t left_out;      /* bytes in the middle of it */
	const struct cli_elision *elisions; /* weak; what these were */
	size_t nr_elisions;
};

/* The line that is being gathered; all zeros, then cli_liner_begin(). */
struct cli_liner {
	size_t max_line;   /* bytes that are kept of one */
	size_t max_string; /* the same of a string in a long one */
	struct cli_buffer bytes;
	bool is_long; /* it is being looked into */
	size_t cut;   /* as in struct cli_line */
	size_t left_out;

	/* While it is looked into: */
	bool in_string;
	size_t string_size; /* kept of the string, bytes */
	size_t escape_size; /* read of an escape, bytes; 0: not in one */
	unsigned int unit;  /* the value of a \u escape so far */
	unsigned int high;  /* half of a pair that was just read; 0: none */
	uint64_t nr_strings;
	bool is_eliding;
	struct cli_elision elisions[CLI_LINE_MAX_ELISIONS];
	size_t nr_elisions;
};

/* For records that are cut to @limit bytes. */
void cli_liner_begin(struct cli_liner *liner, size_t limit);

/*
 * Takes the next bytes of the stream, up to the end of a line at most, and
 * moves *@bytes past them. Returns whether a line is complete; *@line is it
 * then, without \n or \r\n. Call it until *@bytes is empty.
 */
bool cli_liner_next(struct cli_liner *liner, struct cli_text *bytes,
		    struct cli_line *line);

/* At the stream's end: the last line, if it has no \n. */
bool cli_liner_last(struct cli_liner *liner, struct cli_line *line);

/* Frees what a liner owns. */
void cli_liner_free(struct cli_liner *liner);

#endif /* NFTRACE_NATIVE_PIPE_LINE_H */
