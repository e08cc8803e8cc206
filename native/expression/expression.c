// SPDX-License-Identifier: MIT
/* Expressions that choose records; see expression/expression.h. */
#include "expression/expression.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "expression/node.h"
#include "expression/operand.h"
#include "expression/parser.h"

/* Parentheses and negations in one another; each takes some stack. */
#define MAX_DEPTH 200

struct expression {
	struct expression_node *root; /* owned */
	struct expression_members members;
};

/* Returns false if there is none. */
static bool parse_comparison(struct expression_parser *parser,
			     enum expression_operation *kind)
{
	static const struct {
		const char *token;
		enum expression_operation kind;
	} operators[] = {
		{ "==", OPERATOR_EQUAL },
		{ "!=", OPERATOR_DIFFERENT },
		{ "<=", OPERATOR_LESS_OR_EQUAL },
		{ "<", OPERATOR_LESS },
		{ ">=", OPERATOR_GREATER_OR_EQUAL },
		{ ">", OPERATOR_GREATER },
		{ "=~", OPERATOR_MATCHES },
		{ "~", OPERATOR_MATCHES },
	};

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (!expression_parser_skip(parser, operators[i].token))
			continue;
		*kind = operators[i].kind;
		return true;
	}
	return false;
}

/* Compiles what a ~ is followed by. Returns 0, or -EINVAL after noting why not. */
static int compile(struct expression_parser *parser,
		   struct expression_node *node, const char *at)
{
	char message[80];
	int error;

	if (!node->right->text) {
		expression_parser_fail(
			parser, at,
			"~ takes a regular expression, a string in quotes");
		return -EINVAL;
	}
	error = regcomp(&node->regex, node->right->text,
			REG_EXTENDED | REG_NOSUB);
	if (!error) {
		node->is_compiled = true;
		return 0;
	}
	(void)regerror(error, &node->regex, message, sizeof(message));
	expression_parser_fail(parser, at,
			       "this is not a regular expression: %s", message);
	return -EINVAL;
}

/* An operand, or two with a comparison between them. */
static struct expression_node *parse_relation(struct expression_parser *parser)
{
	struct expression_node *left = expression_operand_parse(parser);
	enum expression_operation kind;
	struct expression_node *right;
	struct expression_node *node;
	const char *at;

	if (!left || !parse_comparison(parser, &kind))
		return left;
	expression_parser_skip_space(parser);
	at = parser->at;
	right = expression_operand_parse(parser);
	if (!right) {
		expression_node_free(left);
		return NULL;
	}
	/* The pattern goes to the right. */
	if (left->text && !right->text &&
	    (kind == OPERATOR_EQUAL || kind == OPERATOR_DIFFERENT))
		node = expression_parser_node(parser, kind, right, left);
	else
		node = expression_parser_node(parser, kind, left, right);
	if (node && kind == OPERATOR_MATCHES && compile(parser, node, at)) {
		expression_node_free(node);
		return NULL;
	}
	return node;
}

static struct expression_node *parse_or(struct expression_parser *parser);

static struct expression_node *parse_unary(struct expression_parser *parser)
{
	struct expression_node *node;

	expression_parser_skip_space(parser);
	if (parser->depth == MAX_DEPTH)
		return expression_parser_fail(parser, parser->at,
					      "this is nested too deep");
	parser->depth++;
	if (*parser->at == '!') {
		parser->at++;
		node = parse_unary(parser);
		if (node)
			node = expression_parser_node(parser, OPERATOR_NOT,
						      node, NULL);
	} else if (*parser->at == '(') {
		parser->at++;
		node = parse_or(parser);
		if (node && !expression_parser_skip(parser, ")")) {
			expression_node_free(node);
			node = expression_parser_fail(parser, parser->at,
						      "a ) is missing");
		}
	} else {
		node = parse_relation(parser);
	}
	parser->depth--;
	return node;
}

/* What @parse_part reads, once or several times with @token in between. */
static struct expression_node *parse_chain(
	struct expression_parser *parser,
	struct expression_node *(*parse_part)(struct expression_parser *parser),
	const char *token, enum expression_operation kind)
{
	struct expression_node *node = parse_part(parser);

	while (node && expression_parser_skip(parser, token)) {
		struct expression_node *right = parse_part(parser);

		if (!right) {
			expression_node_free(node);
			return NULL;
		}
		node = expression_parser_node(parser, kind, node, right);
	}
	return node;
}

static struct expression_node *parse_and(struct expression_parser *parser)
{
	return parse_chain(parser, parse_unary, "&&", OPERATOR_AND);
}

static struct expression_node *parse_or(struct expression_parser *parser)
{
	return parse_chain(parser, parse_and, "||", OPERATOR_OR);
}

struct expression *expression_parse(const char *text,
				    struct expression_error *error)
{
	struct expression *expression = calloc(1, sizeof(*expression));
	struct expression_parser parser = {
		.error = error,
		.text = text,
		.at = text,
	};

	*error = (struct expression_error){ 0 };
	if (!expression)
		return expression_parser_fail(&parser, text, "out of memory");
	parser.members = &expression->members;
	expression->root = parse_or(&parser);
	expression_parser_skip_space(&parser);
	if (expression->root && *parser.at) {
		const char *hint = "";

		if (*parser.at == '=')
			hint = "; equality is ==";
		else if (*parser.at == '&' || *parser.at == '|')
			hint = "; and is &&, or is ||";
		expression_parser_fail(&parser, parser.at,
				       "an operator is missing%s", hint);
	}
	if (!error->column)
		return expression;
	expression_free(expression);
	return NULL;
}

int expression_evaluate(struct expression *expression, const char *line,
			size_t size, bool *is_chosen)
{
	int ret = expression_members_read(&expression->members, line, size);

	if (ret)
		return ret;
	*is_chosen = expression_node_evaluate(expression->root,
					      &expression->members);
	return 0;
}

void expression_free(struct expression *expression)
{
	if (!expression)
		return;
	expression_node_free(expression->root);
	expression_members_free(&expression->members);
	free(expression);
}
