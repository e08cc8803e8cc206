// SPDX-License-Identifier: MIT
/* Operands of an expression; see expression/operand.h. */
#include "expression/operand.h"

#include <errno.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool begins_number(const char *at)
{
	if (*at == '-' || *at == '+')
		at++;
	return isdigit((unsigned char)*at);
}

static bool begins_name(char byte)
{
	return isalpha((unsigned char)byte) || byte == '_' || byte == '$' ||
	       (byte & 0x80);
}

static bool is_in_name(char byte)
{
	return begins_name(byte) || isdigit((unsigned char)byte);
}

/*
 * The text between quotes, of which only the quote itself loses its backslash.
 * The caller frees it.
 */
static char *parse_quoted(struct expression_parser *parser)
{
	const char *begin = parser->at;
	char quote = *parser->at++;
	char *text = malloc(strlen(begin));
	size_t size = 0;

	if (!text)
		return expression_parser_fail(parser, begin, "out of memory");
	while (*parser->at && *parser->at != quote) {
		if (parser->at[0] == '\\' && parser->at[1] == quote)
			parser->at++;
		else if (parser->at[0] == '\\' && parser->at[1])
			text[size++] = *parser->at++;
		text[size++] = *parser->at++;
	}
	text[size] = '\0';
	if (*parser->at == quote) {
		parser->at++;
		return text;
	}
	free(text);
	return expression_parser_fail(parser, begin,
				      "this string has no end: a %c is missing",
				      quote);
}

/* Takes the backslashes out. The caller frees it. NULL when out of memory. */
static char *unescape(const char *text)
{
	char *plain = malloc(strlen(text) + 1);
	char *at = plain;

	if (!plain)
		return NULL;
	for (; *text; text++) {
		if (text[0] == '\\' && text[1])
			text++;
		*at++ = *text;
	}
	*at = '\0';
	return plain;
}

static struct expression_node *parse_string(struct expression_parser *parser)
{
	char *text = parse_quoted(parser);
	struct expression_node *node;

	if (!text)
		return NULL;
	node = expression_parser_node(parser, OPERATOR_LITERAL, NULL, NULL);
	if (!node) {
		free(text);
		return NULL;
	}
	node->text = text;
	node->plain = unescape(text);
	if (!node->plain) {
		expression_node_free(node);
		return expression_parser_fail(parser, parser->at,
					      "out of memory");
	}
	node->value.type = EXPRESSION_VALUE_STRING;
	node->value.size = strlen(node->plain);
	return node;
}

static struct expression_node *parse_number(struct expression_parser *parser)
{
	const char *begin = parser->at;
	struct expression_node *node;
	char *end;
	long double number = strtold(begin, &end);

	if (end == begin || is_in_name(*end))
		return expression_parser_fail(parser, begin,
					      "this is not a number");
	parser->at = end;
	node = expression_parser_node(parser, OPERATOR_LITERAL, NULL, NULL);
	if (node) {
		node->value.type = EXPRESSION_VALUE_NUMBER;
		node->value.number = number;
	}
	return node;
}

/* A path, from its first name on, with a NUL after each part. */
struct path {
	struct base_text parts;
	size_t nr_parts;
};

static bool add_part(struct expression_parser *parser, struct path *path,
		     const char *name, size_t size)
{
	if (path->nr_parts == EXPRESSION_MEMBERS_DEPTH) {
		expression_parser_fail(parser, name,
				       "a member cannot be deeper than %d",
				       EXPRESSION_MEMBERS_DEPTH);
		return false;
	}
	path->nr_parts++;
	base_text_bytes(&path->parts, name, size);
	base_text_char(&path->parts, '\0');
	if (path->parts.failed)
		expression_parser_fail(parser, name, "out of memory");
	return !path->parts.failed;
}

/* The name at parser->at. */
static bool parse_name(struct expression_parser *parser, struct path *path)
{
	const char *begin = parser->at;

	while (is_in_name(*parser->at))
		parser->at++;
	return add_part(parser, path, begin, (size_t)(parser->at - begin));
}

/* What is between brackets: an index, or a name in quotes. */
static bool parse_bracket(struct expression_parser *parser, struct path *path)
{
	const char *begin;
	bool is_ok;

	expression_parser_skip_space(parser);
	begin = parser->at;
	if (*begin == '"' || *begin == '\'') {
		char *text = parse_quoted(parser);
		char *plain = text ? unescape(text) : NULL;

		is_ok = plain && add_part(parser, path, plain, strlen(plain));
		free(text);
		free(plain);
	} else {
		while (isdigit((unsigned char)*parser->at))
			parser->at++;
		if (parser->at == begin) {
			expression_parser_fail(
				parser, begin,
				"an index, or a name in quotes, is missing");
			return false;
		}
		is_ok = add_part(parser, path, begin,
				 (size_t)(parser->at - begin));
	}
	if (is_ok && !expression_parser_skip(parser, "]")) {
		expression_parser_fail(parser, parser->at, "a ] is missing");
		return false;
	}
	return is_ok;
}

static bool parse_path(struct expression_parser *parser, struct path *path)
{
	if (!parse_name(parser, path))
		return false;
	for (;;) {
		if (*parser->at == '[') {
			parser->at++;
			if (!parse_bracket(parser, path))
				return false;
		} else if (*parser->at == '.') {
			parser->at++;
			if (!begins_name(*parser->at)) {
				expression_parser_fail(
					parser, parser->at,
					"the name of a member is missing");
				return false;
			}
			if (!parse_name(parser, path))
				return false;
		} else {
			return true;
		}
	}
}

static bool parse_word(struct expression_parser *parser, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(parser->at, word, size) != 0 ||
	    is_in_name(parser->at[size]) || parser->at[size] == '.' ||
	    parser->at[size] == '[')
		return false;
	parser->at += size;
	return true;
}

static struct expression_node *parse_member(struct expression_parser *parser)
{
	struct path path = { 0 };
	ssize_t member = -ENOMEM;
	struct expression_node *node = NULL;

	if (parse_path(parser, &path)) {
		member = expression_members_add(parser->members,
						path.parts.data,
						path.parts.size, path.nr_parts);
		if (member < 0)
			expression_parser_fail(parser, parser->at,
					       "out of memory");
		else
			node = expression_parser_node(parser, OPERATOR_MEMBER,
						      NULL, NULL);
	}
	if (node)
		node->member = (size_t)member;
	base_text_free(&path.parts);
	return node;
}

struct expression_node *
expression_operand_parse(struct expression_parser *parser)
{
	static const struct {
		const char *word;
		struct expression_value value;
	} words[] = {
		{ "true", { .type = EXPRESSION_VALUE_BOOL, .number = 1 } },
		{ "false", { .type = EXPRESSION_VALUE_BOOL } },
		{ "null", { .type = EXPRESSION_VALUE_NULL } },
	};

	expression_parser_skip_space(parser);
	if (*parser->at == '"' || *parser->at == '\'')
		return parse_string(parser);
	if (begins_number(parser->at))
		return parse_number(parser);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct expression_node *node;

		if (!parse_word(parser, words[i].word))
			continue;
		node = expression_parser_node(parser, OPERATOR_LITERAL, NULL,
					      NULL);
		if (node)
			node->value = words[i].value;
		return node;
	}
	if (begins_name(*parser->at))
		return parse_member(parser);
	return expression_parser_fail(
		parser, parser->at,
		"a member, a number or a string in quotes is missing");
}
