/* SPDX-License-Identifier: MIT */
/* Values of chosen members of a record, however deep, from its line. */
#ifndef NFTRACE_NATIVE_EXPRESSION_MEMBERS_H
#define NFTRACE_NATIVE_EXPRESSION_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <yajl/yajl_parse.h>

#include "base/text.h"

/* Names, or indices of an array, that a path has at most. */
#define EXPRESSION_MEMBERS_DEPTH 16

enum expression_value_type {
	EXPRESSION_VALUE_ABSENT, /* there is no such member */
	EXPRESSION_VALUE_NULL,
	EXPRESSION_VALUE_BOOL, /* number is 0 or 1 */
	EXPRESSION_VALUE_NUMBER,
	EXPRESSION_VALUE_STRING,
	EXPRESSION_VALUE_OTHER, /* an object or an array */
};

struct expression_value {
	enum expression_value_type type;
	long double number; /* holds 64-bit integers exactly */
	size_t offset;	    /* of a string, in expression_members.strings */
	size_t size;	    /* bytes; a NUL comes after them */
};

/* Where a value is: the names on the way to it, from the record on. */
struct expression_path {
	char *parts; /* owned; one after the other, each with a NUL */
	size_t size; /* bytes */
	size_t nr_parts;
	size_t nr_matched; /* of the branch that is being read */
	struct expression_value value;
};

/* Zeroed: no path. Not for use by several threads at once. */
struct expression_members {
	struct expression_path *paths; /* owned */
	size_t nr_paths;
	struct base_text strings; /* that the values have */
	/* The rest is expression/members.c's own. */
	yajl_handle parser;
	size_t depth; /* objects and arrays that are open */
	struct {
		bool is_array;
		size_t index; /* of the next element */
	} open[EXPRESSION_MEMBERS_DEPTH + 1];
};

/*
 * Adds a path, of @nr_parts names in @parts, @size bytes with a NUL after each;
 * at most EXPRESSION_MEMBERS_DEPTH. Returns its index in members->paths, the same
 * for the same path; or -ENOMEM.
 */
ssize_t expression_members_add(struct expression_members *members,
			       const char *parts, size_t size, size_t nr_parts);

/*
 * Sets the value of each path from @line, a JSON object of @size bytes; of a
 * member that is there twice, the last. Returns 0 or -ENOMEM.
 */
int expression_members_read(struct expression_members *members,
			    const char *line, size_t size);

void expression_members_free(struct expression_members *members);

#endif /* NFTRACE_NATIVE_EXPRESSION_MEMBERS_H */
