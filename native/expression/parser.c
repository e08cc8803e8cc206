// SPDX-License-Identifier: MIT
/* Where the parsing of an expression is; see expression/parser.h. */
#include "expression/parser.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 4096

void *expression_parser_fail(struct expression_parser *parser, const char *at,
			     const char *format, ...)
{
	va_list arguments;

	if (parser->error->column)
		return NULL;
	parser->error->offset = (size_t)(at - parser->text);
	parser->error->column = 1;
	for (const char *byte = parser->text; byte < at; byte++)
		if ((*byte & 0xc0) != 0x80)
			parser->error->column++;
	va_start(arguments, format);
	(void)vsnprintf(parser->error->message, sizeof(parser->error->message),
			format, arguments);
	va_end(arguments);
	return NULL;
}

struct expression_node *expression_parser_node(struct expression_parser *parser,
					       enum expression_operation kind,
					       struct expression_node *left,
					       struct expression_node *right)
{
	struct expression_node *node = NULL;

	if (++parser->nr_nodes > MAX_NODES)
		expression_parser_fail(parser, parser->at,
				       "this is more than can be taken");
	else
		node = calloc(1, sizeof(*node));
	if (!node) {
		expression_node_free(left);
		expression_node_free(right);
		return expression_parser_fail(parser, parser->at,
					      "out of memory");
	}
	node->kind = kind;
	node->left = left;
	node->right = right;
	return node;
}

void expression_parser_skip_space(struct expression_parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

bool expression_parser_skip(struct expression_parser *parser, const char *token)
{
	size_t size = strlen(token);

	expression_parser_skip_space(parser);
	if (strncmp(parser->at, token, size) != 0)
		return false;
	parser->at += size;
	return true;
}
