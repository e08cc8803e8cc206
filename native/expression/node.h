/* SPDX-License-Identifier: MIT */
/* The tree that an expression is, and what it makes of a record's members. */
#ifndef NFTRACE_NATIVE_EXPRESSION_NODE_H
#define NFTRACE_NATIVE_EXPRESSION_NODE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "expression/members.h"

enum reader_operation {
	OPERATOR_OR,
	OPERATOR_AND,
	OPERATOR_NOT,
	OPERATOR_EQUAL,
	OPERATOR_DIFFERENT,
	OPERATOR_LESS,
	OPERATOR_LESS_OR_EQUAL,
	OPERATOR_GREATER,
	OPERATOR_GREATER_OR_EQUAL,
	OPERATOR_MATCHES,
	/* And operands: */
	OPERATOR_MEMBER,
	OPERATOR_LITERAL,
};

struct reader_node {
	enum reader_operation kind;
	struct reader_node *left; /* owned, as the next one */
	struct reader_node *right;
	size_t member;		   /* index of the path */
	struct reader_value value; /* of a literal, but for its text */
	char *text;    /* owned; of a string, escapes as they were written */
	char *plain;   /* owned; without the escapes */
	regex_t regex; /* of OPERATOR_MATCHES, if it is compiled */
	bool is_compiled;
};

/*
 * Whether what @node says holds for the values that @members read last. The
 * paths of its OPERATOR_MEMBERs are among those of @members.
 */
bool reader_node_evaluate(const struct reader_node *node,
			  const struct reader_members *members);

/* Frees what is below @node, too. It may be NULL. */
void reader_node_free(struct reader_node *node);

#endif /* NFTRACE_NATIVE_EXPRESSION_NODE_H */
