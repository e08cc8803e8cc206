/* SPDX-License-Identifier: MIT */
/* Where the parsing of an expression is, and what is wrong with its text. */
#ifndef NFTRACE_NATIVE_EXPRESSION_PARSER_H
#define NFTRACE_NATIVE_EXPRESSION_PARSER_H

#include <stdbool.h>

#include "expression/expression.h"
#include "expression/node.h"

struct expression_parser {
	struct expression_members *members; /* weak; gets the paths */
	struct expression_error *error;
	const char *text;   /* all of it */
	const char *at;	    /* what is to be parsed next */
	unsigned int depth; /* of parentheses and negations in one another */
	unsigned int nr_nodes;
};

/*
 * Sets what is wrong at @at, which points into the text, unless something was
 * wrong before. Returns NULL.
 */
void *expression_parser_fail(struct expression_parser *parser, const char *at,
			     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A node that owns @left and @right, each of which may be NULL. Returns NULL, has
 * freed them and said why, if there can't be one more.
 */
struct expression_node *expression_parser_node(struct expression_parser *parser,
					       enum expression_operation kind,
					       struct expression_node *left,
					       struct expression_node *right);

void expression_parser_skip_space(struct expression_parser *parser);

/* Skips space and then @token, if that is what follows; whether it is. */
bool expression_parser_skip(struct expression_parser *parser,
			    const char *token);

#endif /* NFTRACE_NATIVE_EXPRESSION_PARSER_H */
