/* SPDX-License-Identifier: MIT */
/*
 * A line as JSON.parse() and JSON.stringify() would give it: an object's members
 * as text, in JavaScript's order, each key once; and, decoded, the values that
 * an event carries in fields of their own.
 */
#ifndef NFTRACE_NATIVE_PIPE_PARSE_H
#define NFTRACE_NATIVE_PIPE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* The members that the payload has, in its order; and v, which it hasn't. */
enum cli_flat {
	CLI_FLAT_LEVEL,
	CLI_FLAT_TIME,
	CLI_FLAT_NAME,
	CLI_FLAT_HOSTNAME,
	CLI_FLAT_PID,
	CLI_FLAT_MSG,
	CLI_FLAT_V,
	CLI_NR_FLAT,
	CLI_NOT_FLAT = CLI_NR_FLAT,
};

/* A member of an object; offsets into struct cli_parser's text. */
struct cli_member {
	size_t begin;	 /* of "key":value */
	size_t key_size; /* with its quotes */
	size_t end;
	size_t position;    /* by which it is sorted */
	size_t least;	    /* bytes when it is cut as far as may be */
	uint32_t hash;	    /* of the key */
	enum cli_flat flat; /* of the outermost object's members only */
};

/* Strings of a line of which the middle was left out; see pipe/line.h. */
struct cli_elision {
	uint64_t string;      /* its number among the line's strings, from 0 */
	size_t bytes;	      /* left out, as UTF-8 */
	size_t escaped_bytes; /* left out, in JSON */
	bool exact;	      /* no NUL, no half of a surrogate pair left out */
};

enum cli_flat_type {
	CLI_ABSENT,
	CLI_STRING,
	CLI_NUMBER,
	CLI_OTHER
};

/* One of the members that the payload has. */
struct cli_flat_value {
	enum cli_flat_type type;
	size_t offset; /* decoded string, in struct cli_parser's strings */
	size_t size;
	double number;
	const struct cli_elision *elision; /* weak; NULL: it is whole */
};

struct cli_container {
	bool is_object;
	bool is_empty;
	bool has_index; /* a key that JavaScript puts first */
	size_t begin;	/* of what is in it, in text */
	size_t first_member;
};

/* All zeros at first; see cli_parser_free(). */
struct cli_parser {
	/* Of the last object: */
	struct cli_buffer text; /* the members; what is between them is void */
	struct cli_member *members; /* owned; in JavaScript's order */
	size_t nr_members;
	struct cli_flat_value flat[CLI_NR_FLAT];
	struct cli_buffer strings; /* of flat, each followed by a NUL */
	size_t elided_bytes;	   /* in JSON, of what isn't a flat string */

	/* Of the last text that isn't a JSON object: */
	size_t error_at; /* byte */
	char error[128]; /* why not; without a full stop */

	/* While parsing: */
	struct yajl_handle_t *yajl; /* owned */
	size_t object_end;	    /* byte after the outermost object */
	size_t member_capacity;
	struct cli_container *containers; /* owned */
	size_t depth;
	size_t container_capacity;
	enum cli_flat current; /* whose value comes next */
	bool too_deep;
	struct cli_buffer scratch;
	uint64_t nr_strings;
	const struct cli_elision *elisions; /* weak; those to come */
	size_t nr_elisions;
	char *pool; /* owned; memory for yajl while it parses a line */
	size_t pool_used;
};

/*
 * Parses a line, UTF-8 or with halves of surrogate pairs. Returns whether it is
 * a JSON object (nested at most 1024 deep).
 */
bool cli_parse_line(struct cli_parser *parser, struct cli_text line,
		    const struct cli_elision *elisions, size_t nr_elisions);

/*
 * Sorts some of a parser's members as JavaScript does: first indices (0, 1, 2
 * …), by value, then the others by their .position.
 */
void cli_parser_sort(struct cli_parser *parser, struct cli_member *members,
		     size_t nr_members);

/* Frees what a parser owns. */
void cli_parser_free(struct cli_parser *parser);

#endif /* NFTRACE_NATIVE_PIPE_PARSE_H */
