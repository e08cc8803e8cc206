// SPDX-License-Identifier: MIT
/* Expressions that choose records; see reader_expression.h. */
#include "reader_expression.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader_filter.h"
#include "reader_members.h"

/* Parentheses and negations in one another; each takes some stack. */
#define MAX_DEPTH 200
#define MAX_NODES 4096

enum operation {
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

struct node {
	enum operation kind;
	struct node *left; /* owned, as the next one */
	struct node *right;
	size_t member;		   /* index of the path */
	struct reader_value value; /* of a literal, but for its text */
	char *text;    /* owned; of a string, escapes as they were written */
	char *plain;   /* owned; without the escapes */
	regex_t regex; /* of OPERATOR_MATCHES, if it is compiled */
	bool is_compiled;
};

struct reader_expression {
	struct node *root; /* owned */
	struct reader_members members;
};

struct parser {
	struct reader_expression *expression; /* weak */
	struct reader_expression_error *error;
	const char *text;
	const char *at;
	unsigned int depth;
	unsigned int nr_nodes;
};

static void free_node(struct node *node)
{
	if (!node)
		return;
	free_node(node->left);
	free_node(node->right);
	if (node->is_compiled)
		regfree(&node->regex);
	free(node->text);
	free(node->plain);
	free(node);
}

/* Sets what is wrong at @at, unless something was wrong before. */
static void *fail(struct parser *parser, const char *at, const char *format,
		  ...) __attribute__((format(printf, 3, 4)));

static void *fail(struct parser *parser, const char *at, const char *format,
		  ...)
{
	va_list arguments;

	if (parser->error->column)
		return NULL;
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

static struct node *make_node(struct parser *parser, enum operation kind,
			      struct node *left, struct node *right)
{
	struct node *node = NULL;

	if (++parser->nr_nodes > MAX_NODES)
		fail(parser, parser->at, "this is more than can be taken");
	else
		node = calloc(1, sizeof(*node));
	if (!node) {
		free_node(left);
		free_node(right);
		return fail(parser, parser->at, "out of memory");
	}
	node->kind = kind;
	node->left = left;
	node->right = right;
	return node;
}

static void skip_space(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

static bool skip_token(struct parser *parser, const char *token)
{
	size_t size = strlen(token);

	skip_space(parser);
	if (strncmp(parser->at, token, size) != 0)
		return false;
	parser->at += size;
	return true;
}

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
static char *parse_quoted(struct parser *parser)
{
	const char *begin = parser->at;
	char quote = *parser->at++;
	char *text = malloc(strlen(begin));
	size_t size = 0;

	if (!text)
		return fail(parser, begin, "out of memory");
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
	return fail(parser, begin, "this string has no end: a %c is missing",
		    quote);
}

/* Takes the backslashes out. The caller frees it. NULL without memory. */
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

static struct node *parse_string(struct parser *parser)
{
	char *text = parse_quoted(parser);
	struct node *node;

	if (!text)
		return NULL;
	node = make_node(parser, OPERATOR_LITERAL, NULL, NULL);
	if (!node) {
		free(text);
		return NULL;
	}
	node->text = text;
	node->plain = unescape(text);
	if (!node->plain) {
		free_node(node);
		return fail(parser, parser->at, "out of memory");
	}
	node->value.type = READER_VALUE_STRING;
	node->value.size = strlen(node->plain);
	return node;
}

static struct node *parse_number(struct parser *parser)
{
	const char *begin = parser->at;
	struct node *node;
	char *end;
	long double number = strtold(begin, &end);

	if (end == begin || is_in_name(*end))
		return fail(parser, begin, "this is not a number");
	parser->at = end;
	node = make_node(parser, OPERATOR_LITERAL, NULL, NULL);
	if (node) {
		node->value.type = READER_VALUE_NUMBER;
		node->value.number = number;
	}
	return node;
}

/* A path, from its first name on, with a NUL after each part. */
struct path {
	struct reader_text parts;
	size_t nr_parts;
};

static bool add_part(struct parser *parser, struct path *path, const char *name,
		     size_t size)
{
	if (path->nr_parts == READER_MEMBERS_DEPTH) {
		fail(parser, name, "a member cannot be deeper than %d",
		     READER_MEMBERS_DEPTH);
		return false;
	}
	path->nr_parts++;
	reader_text_bytes(&path->parts, name, size);
	reader_text_bytes(&path->parts, "", 1);
	if (path->parts.failed)
		fail(parser, name, "out of memory");
	return !path->parts.failed;
}

/* The name at parser->at. */
static bool parse_name(struct parser *parser, struct path *path)
{
	const char *begin = parser->at;

	while (is_in_name(*parser->at))
		parser->at++;
	return add_part(parser, path, begin, (size_t)(parser->at - begin));
}

/* What is between brackets: an index, or a name in quotes. */
static bool parse_bracket(struct parser *parser, struct path *path)
{
	const char *begin;
	bool is_ok;

	skip_space(parser);
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
			fail(parser, begin,
			     "an index, or a name in quotes, is missing");
			return false;
		}
		is_ok = add_part(parser, path, begin,
				 (size_t)(parser->at - begin));
	}
	if (is_ok && !skip_token(parser, "]")) {
		fail(parser, parser->at, "a ] is missing");
		return false;
	}
	return is_ok;
}

static bool parse_path(struct parser *parser, struct path *path)
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
				fail(parser, parser->at,
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

static bool parse_word(struct parser *parser, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(parser->at, word, size) != 0 ||
	    is_in_name(parser->at[size]) || parser->at[size] == '.' ||
	    parser->at[size] == '[')
		return false;
	parser->at += size;
	return true;
}

static struct node *parse_member(struct parser *parser)
{
	struct path path = { 0 };
	size_t member = SIZE_MAX;
	struct node *node = NULL;

	if (parse_path(parser, &path)) {
		member = reader_members_add(&parser->expression->members,
					    path.parts.data, path.parts.size,
					    path.nr_parts);
		if (member == SIZE_MAX)
			fail(parser, parser->at, "out of memory");
		else
			node = make_node(parser, OPERATOR_MEMBER, NULL, NULL);
	}
	if (node)
		node->member = member;
	reader_text_free(&path.parts);
	return node;
}

static struct node *parse_operand(struct parser *parser)
{
	static const struct {
		const char *word;
		struct reader_value value;
	} words[] = {
		{ "true", { .type = READER_VALUE_BOOL, .number = 1 } },
		{ "false", { .type = READER_VALUE_BOOL } },
		{ "null", { .type = READER_VALUE_NULL } },
	};

	skip_space(parser);
	if (*parser->at == '"' || *parser->at == '\'')
		return parse_string(parser);
	if (begins_number(parser->at))
		return parse_number(parser);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct node *node;

		if (!parse_word(parser, words[i].word))
			continue;
		node = make_node(parser, OPERATOR_LITERAL, NULL, NULL);
		if (node)
			node->value = words[i].value;
		return node;
	}
	if (begins_name(*parser->at))
		return parse_member(parser);
	return fail(parser, parser->at,
		    "a member, a number or a string in quotes is missing");
}

/* Returns false if there is none. */
static bool parse_comparison(struct parser *parser, enum operation *kind)
{
	static const struct {
		const char *token;
		enum operation kind;
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
		if (!skip_token(parser, operators[i].token))
			continue;
		*kind = operators[i].kind;
		return true;
	}
	return false;
}

/* Compiles what a ~ is followed by. */
static bool compile(struct parser *parser, struct node *node, const char *at)
{
	char message[80];
	int error;

	if (!node->right->text) {
		fail(parser, at,
		     "~ takes a regular expression, a string in quotes");
		return false;
	}
	error = regcomp(&node->regex, node->right->text,
			REG_EXTENDED | REG_NOSUB);
	if (!error) {
		node->is_compiled = true;
		return true;
	}
	(void)regerror(error, &node->regex, message, sizeof(message));
	fail(parser, at, "this is not a regular expression: %s", message);
	return false;
}

/* An operand, or two with a comparison between them. */
static struct node *parse_relation(struct parser *parser)
{
	struct node *left = parse_operand(parser);
	enum operation kind;
	struct node *right;
	struct node *node;
	const char *at;

	if (!left || !parse_comparison(parser, &kind))
		return left;
	skip_space(parser);
	at = parser->at;
	right = parse_operand(parser);
	if (!right) {
		free_node(left);
		return NULL;
	}
	/* The pattern goes to the right. */
	if (left->text && !right->text &&
	    (kind == OPERATOR_EQUAL || kind == OPERATOR_DIFFERENT))
		node = make_node(parser, kind, right, left);
	else
		node = make_node(parser, kind, left, right);
	if (node && kind == OPERATOR_MATCHES && !compile(parser, node, at)) {
		free_node(node);
		return NULL;
	}
	return node;
}

static struct node *parse_or(struct parser *parser);

static struct node *parse_unary(struct parser *parser)
{
	struct node *node;

	skip_space(parser);
	if (parser->depth == MAX_DEPTH)
		return fail(parser, parser->at, "this is nested too deep");
	parser->depth++;
	if (*parser->at == '!') {
		parser->at++;
		node = parse_unary(parser);
		if (node)
			node = make_node(parser, OPERATOR_NOT, node, NULL);
	} else if (*parser->at == '(') {
		parser->at++;
		node = parse_or(parser);
		if (node && !skip_token(parser, ")")) {
			free_node(node);
			node = fail(parser, parser->at, "a ) is missing");
		}
	} else {
		node = parse_relation(parser);
	}
	parser->depth--;
	return node;
}

/* What @parse_part reads, once or several times with @token in between. */
static struct node *
parse_chain(struct parser *parser,
	    struct node *(*parse_part)(struct parser *parser),
	    const char *token, enum operation kind)
{
	struct node *node = parse_part(parser);

	while (node && skip_token(parser, token)) {
		struct node *right = parse_part(parser);

		if (!right) {
			free_node(node);
			return NULL;
		}
		node = make_node(parser, kind, node, right);
	}
	return node;
}

static struct node *parse_and(struct parser *parser)
{
	return parse_chain(parser, parse_unary, "&&", OPERATOR_AND);
}

static struct node *parse_or(struct parser *parser)
{
	return parse_chain(parser, parse_and, "||", OPERATOR_OR);
}

struct reader_expression *
reader_expression_parse(const char *text, struct reader_expression_error *error)
{
	struct reader_expression *expression = calloc(1, sizeof(*expression));
	struct parser parser = {
		.expression = expression,
		.error = error,
		.text = text,
		.at = text,
	};

	*error = (struct reader_expression_error){ 0 };
	if (!expression)
		return fail(&parser, text, "out of memory");
	expression->root = parse_or(&parser);
	skip_space(&parser);
	if (expression->root && *parser.at) {
		const char *hint = "";

		if (*parser.at == '=')
			hint = "; equality is ==";
		else if (*parser.at == '&' || *parser.at == '|')
			hint = "; and is &&, or is ||";
		fail(&parser, parser.at, "an operator is missing%s", hint);
	}
	if (!error->column)
		return expression;
	reader_expression_free(expression);
	return NULL;
}

/* An operand's value, and in *@text its text if it is a string. */
static const struct reader_value *
value_of(const struct reader_expression *expression, const struct node *node,
	 const char **text)
{
	const struct reader_value *value = &node->value;

	*text = node->plain;
	if (node->kind == OPERATOR_MEMBER) {
		value = &expression->members.paths[node->member].value;
		*text = value->type == READER_VALUE_STRING
				? expression->members.strings.data +
					  value->offset
				: NULL;
	}
	return value;
}

static bool are_equal(const struct reader_expression *expression,
		      const struct node *node)
{
	const char *left_text;
	const char *right_text;
	const struct reader_value *left =
		value_of(expression, node->left, &left_text);
	const struct reader_value *right =
		value_of(expression, node->right, &right_text);

	if (left->type != right->type)
		return false;
	switch (left->type) {
	case READER_VALUE_NULL:
		return true;
	case READER_VALUE_BOOL:
	case READER_VALUE_NUMBER:
		return left->number == right->number;
	case READER_VALUE_STRING:
		if (node->right->text)
			return reader_filter_glob(node->right->text, left_text,
						  left->size);
		return left->size == right->size &&
		       !memcmp(left_text, right_text, left->size);
	default:
		return false;
	}
}

/* Below, at or above 0 as the left one is to the right one; false: neither. */
static bool compare(const struct reader_expression *expression,
		    const struct node *node, int *order)
{
	const char *left_text;
	const char *right_text;
	const struct reader_value *left =
		value_of(expression, node->left, &left_text);
	const struct reader_value *right =
		value_of(expression, node->right, &right_text);

	if (left->type != right->type)
		return false;
	if (left->type == READER_VALUE_STRING) {
		*order = strcmp(left_text, right_text);
		return true;
	}
	*order =
		(left->number > right->number) - (left->number < right->number);
	return left->type == READER_VALUE_NUMBER;
}

static bool matches(const struct reader_expression *expression,
		    const struct node *node)
{
	const char *text;

	(void)value_of(expression, node->left, &text);
	return text && !regexec(&node->regex, text, 0, NULL, 0);
}

static bool is_true(const struct reader_expression *expression,
		    const struct node *node)
{
	const char *text;
	const struct reader_value *value = value_of(expression, node, &text);

	switch (value->type) {
	case READER_VALUE_BOOL:
	case READER_VALUE_NUMBER:
		return value->number != 0;
	case READER_VALUE_STRING:
		return value->size > 0;
	default:
		return value->type == READER_VALUE_OTHER;
	}
}

static bool evaluate(const struct reader_expression *expression,
		     const struct node *node)
{
	int order = 0;

	switch (node->kind) {
	case OPERATOR_OR:
		return evaluate(expression, node->left) ||
		       evaluate(expression, node->right);
	case OPERATOR_AND:
		return evaluate(expression, node->left) &&
		       evaluate(expression, node->right);
	case OPERATOR_NOT:
		return !evaluate(expression, node->left);
	case OPERATOR_EQUAL:
		return are_equal(expression, node);
	case OPERATOR_DIFFERENT:
		return !are_equal(expression, node);
	case OPERATOR_LESS:
		return compare(expression, node, &order) && order < 0;
	case OPERATOR_LESS_OR_EQUAL:
		return compare(expression, node, &order) && order <= 0;
	case OPERATOR_GREATER:
		return compare(expression, node, &order) && order > 0;
	case OPERATOR_GREATER_OR_EQUAL:
		return compare(expression, node, &order) && order >= 0;
	case OPERATOR_MATCHES:
		return matches(expression, node);
	default:
		return is_true(expression, node);
	}
}

bool reader_expression_evaluate(struct reader_expression *expression,
				const char *line, size_t size, bool *is_chosen)
{
	if (!reader_members_read(&expression->members, line, size))
		return false;
	*is_chosen = evaluate(expression, expression->root);
	return true;
}

void reader_expression_free(struct reader_expression *expression)
{
	if (!expression)
		return;
	free_node(expression->root);
	reader_members_free(&expression->members);
	free(expression);
}
