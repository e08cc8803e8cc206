/* SPDX-License-Identifier: MIT */
/* Where the parsing of an expression is, and what is wrong with its text. */
#ifndef NFTRACE_NATIVE_EXPRESSION_PARSER_H
#define NFTRACE_NATIVE_EXPRESSION_PARSER_H

#include <stdbool.h>

#include "expression/expression.h"
#include "expression/node.h"

struct reader_parser {
	struct reader_members *members; /* weak; gets the paths */
	struct reader_expression_error *error;
	const char *text;   /* all of it */
	const char *at;	    /* what is to be parsed next */
	unsigned int depth; /* of parentheses and negations in one another */
	unsigned int nr_nodes;
};

/*
 * Sets what is wrong at @at, which points into the text, unless something was
 * wrong before. Returns NULL.
 */
void *reader_parser_fail(struct reader_parser *parser, const char *at,
			 const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A node that owns @left and @right, each of which may be NULL. Returns NULL, has
 * freed them and said why, if there can't be one more.
 */
struct reader_node *reader_parser_node(struct reader_parser *parser,
				       enum reader_operation kind,
				       struct reader_node *left,
				       struct reader_node *right);

void reader_parser_skip_space(struct reader_parser *parser);

/* Skips space and then @token, if that is what follows; whether it is. */
bool reader_parser_skip(struct reader_parser *parser, const char *token);

#endif /* NFTRACE_NATIVE_EXPRESSION_PARSER_H */
