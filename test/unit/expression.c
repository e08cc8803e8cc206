// SPDX-License-Identifier: MIT
/* Tests of expression/expression.h. */
#include "unit.h"

#include "expression/expression.h"

#define RECORD                                                       \
	"{\"name\":\"shop\",\"level\":30,\"msg\":\"took 1200 ms\","  \
	"\"zero\":0,\"empty\":\"\",\"yes\":true,\"no\":false,"       \
	"\"null\":null,\"object\":{},\"array\":[],\"star\":\"a*b\"," \
	"\"back\":\"a\\\\b\",\"big\":9007199254740993,"              \
	"\"half\":0.5,\"minus\":-1,"                                 \
	"\"req\":{\"url\":\"/pay/1\",\"headers\":{\"x y\":\"z\"},"   \
	"\"tags\":[\"a\",{\"b\":7},\"c\"]},\"$_\":1,\"\xc3\xa9\":2," \
	"\"twice\":1,\"twice\":2,\"nul\":\"a\\u0000b\"}"

/* Whether an expression chooses the record. */
static bool is_chosen(const char *text)
{
	struct expression_error error;
	struct expression *expression = expression_parse(text, &error);
	bool result = false;

	if (!expression)
		fail_msg("%s: %s, at %zu", text, error.message, error.column);
	assert_false(expression_evaluate(expression, RECORD, sizeof(RECORD) - 1,
					 &result));
	expression_free(expression);
	return result;
}

static void choices(void **state)
{
	static const struct {
		const char *text;
		bool is_chosen;
	} rows[] = {
		/* By itself, an operand. */
		{ "name", true },
		{ "zero", false },
		{ "empty", false },
		{ "yes", true },
		{ "no", false },
		{ "null", false },
		{ "object", true },
		{ "array", true },
		{ "absent", false },
		{ "true", true },
		{ "false", false },
		{ "0", false },
		{ "0.5", true },
		{ "''", false },
		{ "'x'", true },

		/* Comparisons. */
		{ "level == 30", true },
		{ "level==30.0", true },
		{ "level == 3e1", true },
		{ "level != 30", false },
		{ "level < 30", false },
		{ "level <= 30", true },
		{ "level > 30", false },
		{ "level >= 30", true },
		{ "level > 29", true },
		{ "30 == level", true },
		{ "29 < level", true },
		{ "minus == -1", true },
		{ "minus < +0", true },
		{ "half == 0.5", true },
		{ "twice == 2", true },
		{ "name < 'shoq'", true },
		{ "name < 'shop'", false },
		{ "name <= 'shop'", true },
		{ "name > 'sho'", true },
		{ "yes == true", true },
		{ "yes == 1", false },
		{ "yes > false", false },
		{ "null == null", true },
		{ "object == object", false },
		{ "no == zero", false },
		/* Integers up to 64 bits are exact. */
		{ "big == 9007199254740993", true },
		{ "big == 9007199254740992", false },
		/* With a member that isn't there, or between types: false. */
		{ "absent == 1", false },
		{ "absent == null", false },
		{ "absent < 1", false },
		{ "absent >= 1", false },
		{ "absent != 1", true },
		{ "absent == absent", false },
		{ "name == 30", false },
		{ "name != 30", true },
		{ "name < 30", false },
		{ "name >= 30", false },
		{ "level == '30'", false },

		/* Patterns. */
		{ "name == \"s*\"", true },
		{ "name == 's*p'", true },
		{ "'s*p' == name", true },
		{ "name != 's*p'", false },
		{ "name == '*x*'", false },
		{ "star == 'a\\*b'", true },
		{ "name == 's\\*'", false },
		{ "back == 'a\\\\b'", true },
		{ "name == 'sh'", false },
		{ "nul == 'a*b'", true },
		{ "nul == 'a'", false },
		{ "name < 's*'", false }, /* no pattern: * is below h */
		{ "\"it's\" == 'it\\'s'", true },

		/* Regular expressions. */
		{ "msg ~ '^took [0-9]{4} '", true },
		{ "msg =~ 'ms$'", true },
		{ "msg ~ 'hour|ms'", true },
		{ "msg ~ '^[0-9]'", false },
		{ "msg ~ ''", true },
		{ "star ~ 'a\\*b'", true },
		{ "level ~ '30'", false },
		{ "absent ~ '.*'", false },

		/* Members of members. */
		{ "req.url == '/pay/*'", true },
		{ "req['url'] == \"/pay/1\"", true },
		{ "req.headers['x y'] == 'z'", true },
		{ "req.tags[0] == 'a'", true },
		{ "req.tags[1].b == 7", true },
		{ "req.tags[2] == 'c'", true },
		{ "req.tags[3]", false },
		{ "req.tags.b", false },
		{ "req.url.x", false },
		{ "url", false },
		{ "b", false },
		{ "$_ == 1", true },
		{ "\xc3\xa9 == 2", true },
		{ "truel || true_ || nulls", false },

		/* What binds tighter. */
		{ "true || false && false", true },
		{ "(true || false) && false", false },
		{ "false && false || true", true },
		{ "false && (false || true)", false },
		{ "!false && true", true },
		{ "!(false && true)", true },
		{ "!true || true", true },
		{ "!!level", true },
		{ "!level == 30", false }, /* the comparison comes first */
		{ "!level == 31", true },
		{ "level > 20 && level < 40 && name == 'shop'", true },
		{ " \t( ( level ) ) \n", true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		check_number(rows[i].text, is_chosen(rows[i].text),
			     rows[i].is_chosen);
}

static void refusals(void **state)
{
	static const struct {
		const char *text;
		size_t column;
		const char *message;
	} rows[] = {
		{ "", 1,
		  "a member, a number or a string in quotes is missing" },
		{ "  ", 3, "a member, a number or a string in quotes" },
		{ "level = 30", 7, "an operator is missing; equality is ==" },
		{ "a & b", 3, "an operator is missing; and is &&, or is ||" },
		{ "a | b", 3, "an operator is missing; and is &&, or is ||" },
		{ "a b", 3, "an operator is missing" },
		{ "a == 1 == 2", 8, "an operator is missing; equality is ==" },
		{ "a ==", 5, "a member, a number or a string in quotes" },
		{ "a == == b", 6, "a member, a number or a string in quotes" },
		{ "a &&", 5, "a member, a number or a string in quotes" },
		{ "|| a", 1, "a member, a number or a string in quotes" },
		{ "!", 2, "a member, a number or a string in quotes" },
		{ "()", 2, "a member, a number or a string in quotes" },
		{ "(a", 3, "a ) is missing" },
		{ "((a)", 5, "a ) is missing" },
		{ "a)", 2, "an operator is missing" },
		{ "'a", 1, "this string has no end: a ' is missing" },
		{ "a == \"b", 6, "this string has no end: a \" is missing" },
		{ "'a\\'", 1, "this string has no end: a ' is missing" },
		{ "30x", 1, "this is not a number" },
		{ ".5", 1, "a member, a number or a string in quotes" },
		{ "-", 1, "a member, a number or a string in quotes" },
		{ "a.", 3, "the name of a member is missing" },
		{ "a..b", 3, "the name of a member is missing" },
		{ "a.0", 3, "the name of a member is missing" },
		{ "a . b", 3, "an operator is missing" },
		{ "a[", 3, "an index, or a name in quotes, is missing" },
		{ "a[]", 3, "an index, or a name in quotes, is missing" },
		{ "a[-1]", 3, "an index, or a name in quotes, is missing" },
		{ "a[b]", 3, "an index, or a name in quotes, is missing" },
		{ "a[0", 4, "a ] is missing" },
		{ "a['b", 3, "this string has no end: a ' is missing" },
		{ "a ~ '('", 5, "this is not a regular expression: " },
		{ "a ~ '[b'", 5, "this is not a regular expression: " },
		/* Characters count, not bytes. */
		{ "'\xc3\xa9\xe2\x82\xac' = 1", 6, "an operator is missing" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct expression_error error;
		struct expression *expression =
			expression_parse(rows[i].text, &error);

		if (expression)
			fail_msg("%s: it is taken", rows[i].text);
		check_number(rows[i].text, (int64_t)error.column,
			     (int64_t)rows[i].column);
		if (strncmp(error.message, rows[i].message,
			    strlen(rows[i].message)) != 0)
			fail_msg("%s: %s", rows[i].text, error.message);
	}
}

static void offsets_of_errors_are_in_bytes(void **state)
{
	struct expression_error error;

	(void)state;
	assert_null(expression_parse("'\xc3\xa9\xe2\x82\xac' = 1", &error));
	assert_int_equal(error.column, 6);
	assert_int_equal(error.offset, 8);
}

/* Parses @count times @piece, then @end. */
static struct expression *parse_repeated(const char *piece, size_t count,
					 const char *end,
					 struct expression_error *error)
{
	size_t size = strlen(piece);
	char *text = malloc(size * count + strlen(end) + 1);
	struct expression *expression;

	assert_non_null(text);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * size, piece, size);
	memcpy(text + size * count, end, strlen(end) + 1);
	expression = expression_parse(text, error);
	free(text);
	return expression;
}

/* The most of each kind, and one more. */
static void limits(void **state)
{
	static const struct {
		const char *piece;
		const char *end;
		size_t most;
		const char *message;
	} rows[] = {
		/* The innermost operand is a level, too. */
		{ "!", "a", 199, "this is nested too deep" },
		/* An operand and an operator each, of 4096 nodes. */
		{ "a||", "a", 2047, "this is more than can be taken" },
		{ "a.", "a", 15, "a member cannot be deeper than 16" },
		{ "a[0].", "a", 7, "a member cannot be deeper than 16" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct expression_error error;
		struct expression *expression = parse_repeated(
			rows[i].piece, rows[i].most, rows[i].end, &error);

		if (!expression)
			fail_msg("%s: %s", rows[i].piece, error.message);
		expression_free(expression);
		assert_null(parse_repeated(rows[i].piece, rows[i].most + 1,
					   rows[i].end, &error));
		assert_string_equal(error.message, rows[i].message);
	}
}

/* One expression takes one line after the other, damaged ones among them. */
static void many_lines(void **state)
{
	static const struct {
		const char *line;
		bool is_chosen;
	} rows[] = {
		{ "{\"a\":1,\"b\":\"x\"}", true },
		{ "{}", false },
		{ "{\"a\":1}", false },
		{ "{\"a\":1,\"b\":\"x\",}",
		  true }, /* what came before counts */
		{ "{\"b\":\"x\",\"a\":1}", true },
		{ "not JSON", false },
		{ "{\"a\":{\"a\":1},\"b\":\"x\"}", false },
		{ "{\"c\":{\"a\":1,\"b\":\"x\"}}", false },
		{ "{\"c\":[[[[{\"a\":1}]]]],\"a\":1,\"b\":\"x\"}", true },
	};
	struct expression_error error;
	struct expression *expression =
		expression_parse("a == 1 && b == 'x'", &error);

	(void)state;
	assert_non_null(expression);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		bool result = !rows[i].is_chosen;

		assert_false(expression_evaluate(expression, rows[i].line,
						 strlen(rows[i].line),
						 &result));
		check_number(rows[i].line, result, rows[i].is_chosen);
	}
	expression_free(expression);
	expression_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices),
		cmocka_unit_test(refusals),
		cmocka_unit_test(offsets_of_errors_are_in_bytes),
		cmocka_unit_test(limits),
		cmocka_unit_test(many_lines),
	};

	return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
