/* SPDX-License-Identifier: MIT */
/* The tree that an expression is, and what it makes of a record's members. */
#ifndef NFTRACE_NATIVE_EXPRESSION_NODE_H
#define NFTRACE_NATIVE_EXPRESSION_NODE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "expression/members.h"

enum expression_operation {
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

struct expression_node {
	enum expression_operation kind;
	struct expression_node *left; /* owned, as the next one */
	struct expression_node *right;
	size_t member;		       /* index of the path */
	struct expression_value value; /* of a literal, but for its text */
	char *text;    /* owned; of a string, escapes as they were written */
	char *plain;   /* owned; without the escapes */
	regex_t regex; /* of OPERATOR_MATCHES, if it is compiled */
	bool is_compiled;
};

/*
 * Whether what @node says holds for the values that @members read last. The
 * paths of its OPERATOR_MEMBERs are among those of @members.
 */
bool expression_node_evaluate(const struct expression_node *node,
			      const struct expression_members *members);

/* Frees what is below @node, too. It may be NULL. */
void expression_node_free(struct expression_node *node);

#endif /* NFTRACE_NATIVE_EXPRESSION_NODE_H */
