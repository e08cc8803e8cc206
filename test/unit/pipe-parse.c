// SPDX-License-Identifier: MIT
/*
 * Tests of pipe/parse.h and pipe/json.h. What is expected is what
 * JSON.stringify(JSON.parse(text)) gives.
 */
#include "unit.h"

#include <errno.h>

#include "pipe/json.h"
#include "pipe/parse.h"

/* Adds a parsed object's members, with commas in between. */
static void add_members(struct base_text *out, const struct pipe_parser *parser)
{
	for (size_t i = 0; i < parser->nr_members; i++) {
		const struct pipe_member *member = &parser->members[i];

		if (i)
			base_text_char(out, ',');
		base_text_bytes(out, parser->text.data + member->begin,
				member->end - member->begin);
	}
}

static void objects(void **state)
{
	static const struct {
		const char *line;
		const char *members;
	} rows[] = {
		{ "{}", "" },
		{ " \t{ } \r", "" },
		{ "{\"b\":1,\"a\":2}", "\"b\":1,\"a\":2" },
		{ "{ \"a\" : [ 1 , 2.0 , { } , [ ] , null , true , false ] }",
		  "\"a\":[1,2,{},[],null,true,false]" },
		/* Indices come first, by value; the last of equal keys stays. */
		{ "{\"2\":1,\"a\":1,\"1\":2,\"01\":3}",
		  "\"1\":2,\"2\":1,\"a\":1,\"01\":3" },
		{ "{\"4294967294\":1,\"a\":0,\"4294967295\":2,\"0\":3}",
		  "\"0\":3,\"4294967294\":1,\"a\":0,\"4294967295\":2" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", "\"a\":3,\"b\":2" },
		{ "{\"a\":1,\"b\":2,\"\\u0061\":3}", "\"a\":3,\"b\":2" },
		{ "{\"a\":{\"b\":1,\"1\":2,\"b\":3}}",
		  "\"a\":{\"1\":2,\"b\":3}" },
		{ "{\"\":0,\"__proto__\":1}", "\"\":0,\"__proto__\":1" },
		{ "{\"a\":1e400,\"b\":-0,\"c\":9007199254740993}",
		  "\"a\":null,\"b\":0,\"c\":9007199254740992" },
		{ "{\"a\":\"\\u0041\\/\\u001f\\u007f\\ud83d\\ude00\"}",
		  "\"a\":\"A/\\u001f\x7f\xf0\x9f\x98\x80\"" },
		{ "{\"a\":\"\\b\\f\\n\\r\\t\\\"\\\\\\u0000\"}",
		  "\"a\":\"\\b\\f\\n\\r\\t\\\"\\\\\\u0000\"" },
		/* Half a pair, as base_utf8_keep_halves() gives it. */
		{ "{\"a\":\"\xed\xa0\xbd\"}", "\"a\":\"\\ud83d\"" },
	};
	struct pipe_parser parser = { 0 };

	(void)state;
	/* One parser for all: nothing stays of the line before. */
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_slice line = { rows[i].line, strlen(rows[i].line) };
		struct base_text out = { 0 };

		if (pipe_parse_line(&parser, line, NULL, 0))
			fail_msg("%s: %s", rows[i].line, parser.error);
		add_members(&out, &parser);
		check_string(rows[i].line, out.data, out.size, rows[i].members);
		base_text_free(&out);
	}
	pipe_parser_free(&parser);
}

static void what_is_no_object(void **state)
{
	static const struct {
		const char *line;
		size_t at;
		const char *error;
	} rows[] = {
		{ "", 0, "not a JSON object" },
		{ "  ", 2, "not a JSON object" },
		{ "text", 0, "not a JSON object" },
		{ " [1]", 1, "not a JSON object" },
		{ "{", 1, "parse error: premature EOF" },
		{ "{\"a\":1", 6, "parse error: premature EOF" },
		{ "{\"a\":1,}", 7, "parse error: invalid object key" },
		/* yajl gives the beginning of what it has read so far. */
		{ "{\"a\":01}", 5, "parse error: after key and value" },
		{ "{\"a\":tru}", 7, "lexical error: invalid string" },
		{ "{\"a\":\"\\x\"}", 6, "lexical error: inside a string" },
		{ "{\"a\":\"\n\"}", 5,
		  "lexical error: invalid character inside" },
		{ "{} {}", 3, "parse error: trailing garbage" },
		{ "{} \"a", 3, "parse error: trailing garbage" },
		{ "{}x", 2, "parse error: trailing garbage" },
		{ "{\"a\":\v1}", 5,
		  "lexical error: invalid char in json text" },
		{ "{\"a\":1}\f", 7,
		  "lexical error: invalid char in json text" },
	};
	struct pipe_parser parser = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_slice line = { rows[i].line, strlen(rows[i].line) };

		if (pipe_parse_line(&parser, line, NULL, 0) != -EINVAL)
			fail_msg("%s is taken", rows[i].line);
		check_number(rows[i].line, (int64_t)parser.error_at,
			     (int64_t)rows[i].at);
		if (!strstr(parser.error, rows[i].error))
			fail_msg("%s: %s", rows[i].line, parser.error);
		assert_true(parser.error[0]);
	}
	pipe_parser_free(&parser);
}

static void values_with_fields_of_their_own(void **state)
{
	static const char line[] =
		"{\"level\":30,\"msg\":\"first\",\"time\":\"t\",\"name\":null,"
		"\"x\":{\"pid\":9},\"pid\":-1.5,\"msg\":\"a\\u0000b\"}";
	struct pipe_parser parser = { 0 };
	const struct pipe_flat_value *flat = parser.flat;

	(void)state;
	assert_false(pipe_parse_line(
		&parser, (struct base_slice){ line, sizeof(line) - 1 }, NULL,
		0));
	assert_int_equal(flat[PIPE_FLAT_LEVEL].type, PIPE_NUMBER);
	assert_true(flat[PIPE_FLAT_LEVEL].number == 30);
	assert_int_equal(flat[PIPE_FLAT_PID].type, PIPE_NUMBER);
	assert_true(flat[PIPE_FLAT_PID].number == -1.5);
	assert_int_equal(flat[PIPE_FLAT_NAME].type, PIPE_OTHER);
	assert_int_equal(flat[PIPE_FLAT_HOSTNAME].type, PIPE_ABSENT);
	assert_int_equal(flat[PIPE_FLAT_V].type, PIPE_ABSENT);
	assert_int_equal(flat[PIPE_FLAT_TIME].type, PIPE_STRING);
	assert_int_equal(flat[PIPE_FLAT_MSG].type, PIPE_STRING);
	/* The last of equal keys; the string is followed by a NUL. */
	assert_int_equal(flat[PIPE_FLAT_MSG].size, 3);
	assert_memory_equal(parser.strings.data + flat[PIPE_FLAT_MSG].offset,
			    "a\0b", 4);
	pipe_parser_free(&parser);
}

/* Around the number of members up to which each is compared with each. */
static void many_members(void **state)
{
	static const size_t counts[] = { 1, 31, 32, 33, 64, 65, 1000 };
	struct pipe_parser parser = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(counts); i++) {
		struct base_text line = { 0 };

		for (size_t member = 0; member < counts[i]; member++) {
			char text[32];

			base_text_char(&line, member ? ',' : '{');
			base_text_bytes(&line, text,
					(size_t)snprintf(text, sizeof(text),
							 "\"k%zu\":0", member));
		}
		base_text_bytes(&line, ",\"k0\":1}", 8);
		assert_false(pipe_parse_line(
			&parser, (struct base_slice){ line.data, line.size },
			NULL, 0));
		assert_int_equal(parser.nr_members, counts[i]);
		for (size_t member = 0; member < counts[i]; member++) {
			const struct pipe_member *it = &parser.members[member];
			char text[32];
			int size = snprintf(text, sizeof(text), "\"k%zu\":%d",
					    member, !member);

			check_bytes("member", parser.text.data + it->begin,
				    it->end - it->begin, text, (size_t)size);
		}
		base_text_free(&line);
	}
	pipe_parser_free(&parser);
}

static void deep_objects(void **state)
{
	struct pipe_parser parser = { 0 };

	(void)state;
	/* The object itself is one of the 1024. */
	for (size_t depth = 1022; depth <= 1024; depth++) {
		struct base_text line = { 0 };

		base_text_bytes(&line, "{\"a\":", 5);
		for (size_t i = 0; i < depth; i++)
			base_text_char(&line, '[');
		for (size_t i = 0; i < depth; i++)
			base_text_char(&line, ']');
		base_text_char(&line, '}');
		assert_int_equal(pipe_parse_line(&parser,
						 (struct base_slice){
							 line.data, line.size },
						 NULL, 0),
				 depth < 1024 ? 0 : -EINVAL);
		if (depth == 1024)
			assert_string_equal(parser.error, "nested too deep");
		base_text_free(&line);
	}
	pipe_parser_free(&parser);
}

static void cut_strings(void **state)
{
	static const struct {
		const char *text;
		bool is_escaped;
		size_t most;
		const char *cut;
	} rows[] = {
		{ "abcdef", false, 0, "\xe2\x80\xa6" },
		{ "abcdef", false, 3, "\xe2\x80\xa6" },
		{ "abcdef", false, 4, "a\xe2\x80\xa6" },
		{ "abcdef", false, 8, "abcde\xe2\x80\xa6" },
		/* Whole characters, and what they take in JSON. */
		{ "a\xc3\xa9", false, 5, "a\xe2\x80\xa6" },
		{ "a\xc3\xa9", false, 6, "a\xc3\xa9\xe2\x80\xa6" },
		{ "\xf0\x9f\x98\x80", false, 6, "\xe2\x80\xa6" },
		{ "\xf0\x9f\x98\x80", false, 7,
		  "\xf0\x9f\x98\x80\xe2\x80\xa6" },
		{ "\"", false, 4, "\xe2\x80\xa6" },
		{ "\"", false, 5, "\"\xe2\x80\xa6" },
		{ "\n", false, 8, "\xe2\x80\xa6" },
		{ "\n", false, 9, "\n\xe2\x80\xa6" },
		{ "\xed\xa0\xbd", false, 8, "\xe2\x80\xa6" },
		{ "\xed\xa0\xbd", false, 9, "\xed\xa0\xbd\xe2\x80\xa6" },
		/* Escapes stay whole. */
		{ "\\\"a", true, 4, "\xe2\x80\xa6" },
		{ "\\\"a", true, 5, "\\\"\xe2\x80\xa6" },
		{ "\\n", true, 8, "\xe2\x80\xa6" },
		{ "\\n", true, 9, "\\n\xe2\x80\xa6" },
		{ "\\u001f", true, 8, "\xe2\x80\xa6" },
		{ "\\u001f", true, 9, "\\u001f\xe2\x80\xa6" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_slice text = { rows[i].text, strlen(rows[i].text) };
		struct base_text out = { 0 };

		pipe_json_cut(&out, text, rows[i].is_escaped, rows[i].most);
		check_string(rows[i].text, out.data, out.size, rows[i].cut);
		base_text_free(&out);
	}
}

static void strings_of_json(void **state)
{
	static const char json[] =
		"{\"a\":\"b\",\"\\\\\":[\"\\\"\",\"\"],\"c\\\\\\\"\":1}";
	static const struct {
		const char *inside;
		bool is_key;
	} rows[] = {
		{ "a", true },	   { "b", false }, { "\\\\", true },
		{ "\\\"", false }, { "", false },  { "c\\\\\\\"", true },
	};
	const char *end = json + sizeof(json) - 1;
	const char *at = json;
	struct base_slice inside;
	bool is_key;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		assert_true(pipe_json_next_string(&at, end, &inside, &is_key));
		check_string(rows[i].inside, inside.data, inside.size,
			     rows[i].inside);
		check_number(rows[i].inside, is_key, rows[i].is_key);
	}
	assert_false(pipe_json_next_string(&at, end, &inside, &is_key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects),
		cmocka_unit_test(what_is_no_object),
		cmocka_unit_test(values_with_fields_of_their_own),
		cmocka_unit_test(many_members),
		cmocka_unit_test(deep_objects),
		cmocka_unit_test(cut_strings),
		cmocka_unit_test(strings_of_json),
	};

	return cmocka_run_group_tests_name("pipe-parse", tests, NULL, NULL);
}
