/* SPDX-License-Identifier: MIT */
/*
 * A line as JSON.parse() and JSON.stringify() would give it: an object's members
 * as text, in JavaScript's order, each key once; and, decoded, the values that
 * an event carries in fields of their own.
 */
#ifndef NFTRACE_NATIVE_PIPE_PARSE_H
#define NFTRACE_NATIVE_PIPE_PARSE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <nft_contract.h>

#include "base/text.h"

/* The members that the payload has, as PIPE_FLAT_HOSTNAME; and v, which it hasn't. */
#define PIPE_FLAT(UPPER, ...) PIPE_FLAT_##UPPER,
enum pipe_flat {
	NFT_BUNYAN_FLAT(PIPE_FLAT, PIPE_FLAT) PIPE_FLAT_V,
	PIPE_NR_FLAT,
	PIPE_NOT_FLAT = PIPE_NR_FLAT,
};

/* A member of an object; offsets into struct pipe_parser's text. */
struct pipe_member {
	size_t begin;	 /* of "key":value */
	size_t key_size; /* with its quotes */
	size_t end;
	size_t position;     /* by which it is sorted */
	size_t least;	     /* bytes when it is cut as far as may be */
	uint32_t hash;	     /* of the key */
	enum pipe_flat flat; /* of the outermost object's members only */
};

/* Strings of a line of which the middle was left out; see pipe/line.h. */
struct pipe_elision {
	uint64_t string;      /* its number among the line's strings, from 0 */
	size_t bytes;	      /* left out, as UTF-8 */
	size_t escaped_bytes; /* left out, in JSON */
	bool exact;	      /* no NUL, no half of a surrogate pair left out */
};

enum pipe_flat_type {
	PIPE_ABSENT,
	PIPE_STRING,
	PIPE_NUMBER,
	PIPE_OTHER
};

/* One of the members that the payload has. */
struct pipe_flat_value {
	enum pipe_flat_type type;
	size_t offset; /* decoded string, in struct pipe_parser's strings */
	size_t size;
	double number;
	const struct pipe_elision *elision; /* weak; NULL: it is whole */
};

struct pipe_container {
	bool is_object;
	bool is_empty;
	bool has_index; /* a key that JavaScript puts first */
	size_t begin;	/* of what is in it, in text */
	size_t first_member;
};

/* All zeros at first; see pipe_parser_free(). */
struct pipe_parser {
	/* Of the last object: */
	struct base_text text;	     /* the members; bytes between are void */
	struct pipe_member *members; /* owned; in JavaScript's order */
	size_t nr_members;
	struct pipe_flat_value flat[PIPE_NR_FLAT];
	struct base_text strings; /* of flat, each followed by a NUL */
	size_t elided_bytes;	  /* in JSON, of what isn't a flat string */

	/* Of the last text that isn't a JSON object: */
	size_t error_at; /* byte */
	char error[128]; /* why not; without a full stop */

	/* While parsing: */
	struct yajl_handle_t *yajl; /* owned */
	size_t object_end;	    /* byte after the outermost object */
	size_t member_capacity;
	struct pipe_container *containers; /* owned */
	size_t depth;
	size_t container_capacity;
	enum pipe_flat current; /* whose value comes next */
	bool too_deep;
	struct base_text scratch;
	uint64_t nr_strings;
	const struct pipe_elision *elisions; /* weak; those to come */
	size_t nr_elisions;
	char *pool; /* owned; memory for yajl while it parses a line */
	size_t pool_used;
	union pipe_piece *heap_pieces; /* what doesn't fit it, the last first */
	jmp_buf *out_of_memory;	       /* weak; where yajl is left for */
};

/*
 * Parses a line, UTF-8 or with halves of surrogate pairs. Returns 0 if it is a JSON
 * object (nested at most 1024 deep); -EINVAL, with .error, if it isn't; -ENOMEM, and
 * from then on always.
 */
int pipe_parse_line(struct pipe_parser *parser, struct base_slice line,
		    const struct pipe_elision *elisions, size_t nr_elisions);

/*
 * Sorts some of a parser's members as JavaScript does: first indices (0, 1, 2
 * …), by value, then the others by their .position.
 */
void pipe_parser_sort(struct pipe_parser *parser, struct pipe_member *members,
		      size_t nr_members);

/* Frees what a parser owns. */
void pipe_parser_free(struct pipe_parser *parser);

#endif /* NFTRACE_NATIVE_PIPE_PARSE_H */
