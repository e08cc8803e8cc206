/* SPDX-License-Identifier: MIT */
/* Values of chosen members of a record, however deep, from its line. */
#ifndef NFTRACE_NATIVE_EXPRESSION_MEMBERS_H
#define NFTRACE_NATIVE_EXPRESSION_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include <yajl/yajl_parse.h>

#include "base/text.h"

/* Names, or indices of an array, that a path has at most. */
#define READER_MEMBERS_DEPTH 16

enum reader_value_type {
	READER_VALUE_ABSENT, /* there is no such member */
	READER_VALUE_NULL,
	READER_VALUE_BOOL, /* number is 0 or 1 */
	READER_VALUE_NUMBER,
	READER_VALUE_STRING,
	READER_VALUE_OTHER, /* an object or an array */
};

struct reader_value {
	enum reader_value_type type;
	long double number; /* holds 64-bit integers exactly */
	size_t offset;	    /* of a string, in reader_members.strings */
	size_t size;	    /* bytes; a NUL comes after them */
};

/* Where a value is: the names on the way to it, from the record on. */
struct reader_path {
	char *parts; /* owned; one after the other, each with a NUL */
	size_t size; /* bytes */
	size_t nr_parts;
	size_t nr_matched; /* of the branch that is being read */
	struct reader_value value;
};

/* Zeroed: no path. Not for use by several threads at once. */
struct reader_members {
	struct reader_path *paths; /* owned */
	size_t nr_paths;
	struct reader_text strings; /* that the values have */
	/* The rest is expression/members.c's own. */
	yajl_handle parser;
	size_t depth; /* objects and arrays that are open */
	struct {
		bool is_array;
		size_t index; /* of the next element */
	} open[READER_MEMBERS_DEPTH + 1];
};

/*
 * Adds a path, of @nr_parts names in @parts, @size bytes with a NUL after each;
 * at most READER_MEMBERS_DEPTH. Returns its index in members->paths, the same
 * for the same path; SIZE_MAX without memory.
 */
size_t reader_members_add(struct reader_members *members, const char *parts,
			  size_t size, size_t nr_parts);

/*
 * Sets the value of each path from @line, a JSON object of @size bytes; of a
 * member that is there twice, the last. Returns false without memory.
 */
bool reader_members_read(struct reader_members *members, const char *line,
			 size_t size);

void reader_members_free(struct reader_members *members);

#endif /* NFTRACE_NATIVE_EXPRESSION_MEMBERS_H */
