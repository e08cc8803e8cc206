// SPDX-License-Identifier: MIT
/* Tests of reader/json.h: splicing an event's fields into a record. */
#include "unit.h"

#include "reader/json.h"

/*
 * Splices, from memory that has the NUL and nothing behind it. Returns whether
 * it is an object; the text begins with "{".
 */
static bool splice(struct reader_json *json, struct base_text *text,
		   const char *object, size_t size)
{
	char *copy = malloc(size + 1);
	bool is_object;

	assert_non_null(copy);
	memcpy(copy, object, size);
	copy[size] = '\0';
	is_object = reader_json_splice(json, text, copy, size);
	free(copy);
	return is_object;
}

static void members_are_spliced(void **state)
{
	static const struct {
		const char *object;
		const char *spliced;
	} rows[] = {
		{ "{}", "" },
		{ " { } ", "" },
		{ "{\"a\":1}", ",\"a\":1" },
		{ "{\"a\":1,\"b\":[]}", ",\"a\":1,\"b\":[]" },
		/* White space between tokens goes, and nothing else. */
		{ " {\t\"a b\" :\n[ 1 , { \"c\" : null } ] , \"d\" : \" \" }\r",
		  ",\"a b\":[1,{\"c\":null}],\"d\":\" \"" },
		/* Values stay byte for byte. */
		{ "{\"a\":-0,\"b\":1.50e+07,\"c\":9007199254740993,\"d\":\"\\/"
		  "\\u0041\"}",
		  ",\"a\":-0,\"b\":1.50e+07,\"c\":9007199254740993,\"d\":\"\\/"
		  "\\u0041\"" },
		{ "{\"a\":true,\"b\":false}", ",\"a\":true,\"b\":false" },
		{ "{\"\":0,\"a\":1,\"a\":2}", ",\"\":0,\"a\":1,\"a\":2" },
		/* Core members are not among them, wherever they stand. */
		{ "{\"name\":1,\"a\":2}", ",\"a\":2" },
		{ "{\"a\":2,\"v\":[1]}", ",\"a\":2" },
		{ "{\"n\\u0061me\":1,\"\\u0076\":2}", "" },
		{ "{\"a\":{\"name\":1}}", ",\"a\":{\"name\":1}" },
		{ "{\"Name\":1,\"nam\":2,\"names\":3}",
		  ",\"Name\":1,\"nam\":2,\"names\":3" },
		/* A terminal obeys none of it. */
		{ "{\"\x7f\":\"\xc2\x9b\xe2\x80\xae\xe2\x80\xac\"}",
		  ",\"\\u007f\":\"\\u009b\\u202e\\u202c\"" },
		{ "{\"a\":\"\xf3\xa0\x80\x81\xf0\x9f\x98\x80\"}",
		  ",\"a\":\"\\udb40\\udc01\xf0\x9f\x98\x80\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct reader_json json = { 0 };
		struct base_text text = { 0 };

		if (!splice(&json, &text, rows[i].object,
			    strlen(rows[i].object)))
			fail_msg("%s: refused", rows[i].object);
		check_string(rows[i].object, text.data, text.size,
			     rows[i].spliced);
		base_text_free(&text);
		reader_json_free(&json);
	}
}

static void what_is_no_object(void **state)
{
	static const struct {
		const char *data;
		size_t size;
	} rows[] = {
		BYTES(""),
		BYTES(" "),
		BYTES("null"),
		BYTES("[]"),
		BYTES("{"),
		BYTES("}"),
		BYTES("{}}"),
		BYTES("{},"),
		BYTES("{} x"),
		BYTES("{\"a\"}"),
		BYTES("{\"a\":}"),
		BYTES("{\"a\":1"),
		BYTES("{\"a\":1,}"),
		BYTES("{,\"a\":1}"),
		BYTES("{\"a\":1 \"b\":2}"),
		BYTES("{a:1}"),
		BYTES("{'a':1}"),
		BYTES("{1:1}"),
		BYTES("{\"a\":[1,]}"),
		BYTES("{\"a\":[1}"),
		BYTES("{\"a\":{]}"),
		BYTES("{\"a\":[}"),
		BYTES("{\"a\":[1 2]}"),
		BYTES("{\"a\":tru}"),
		BYTES("{\"a\":True}"),
		BYTES("{\"a\":truex}"),
		BYTES("{\"a\":01}"),
		BYTES("{\"a\":+1}"),
		BYTES("{\"a\":.5}"),
		BYTES("{\"a\":1.}"),
		BYTES("{\"a\":1e}"),
		BYTES("{\"a\":1e+}"),
		BYTES("{\"a\":-}"),
		BYTES("{\"a\":--1}"),
		BYTES("{\"a\":0x1}"),
		BYTES("{\"a\":NaN}"),
		BYTES("{\"a\":\"b}"),
		BYTES("{\"a\":\"\\\"}"),
		BYTES("{\"a\":\"\\x\"}"),
		BYTES("{\"a\":\"\\u12g4\"}"),
		BYTES("{\"a\":\"\\u12\"}"),
		BYTES("{\"a\":\"\\"),
		BYTES("{\"a\":\"\\u"),
		BYTES("{\"a\":\"\\u123"),
		BYTES("{\"a\":\"\n\"}"),
		BYTES("{\"a\":\"\x1b\"}"),
		BYTES("{\"a\":\"\x80\"}"),
		BYTES("{\"a\":\"\xc3\"}"),
		BYTES("{\"a\":\"\xed\xa0\x80\"}"),
		BYTES("{\"a\":\"\xf0\x9f\x98"),
		BYTES("{\"a\":\"b\0c\"}"),
		BYTES("{\"a\":1}\0"),
		BYTES("{\0}"),
		BYTES("{\"a\":1,\"v\":}"),
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct reader_json json = { 0 };
		struct base_text text = { 0 };

		base_text_literal(&text, "before");
		if (splice(&json, &text, rows[i].data, rows[i].size))
			fail_msg("%s is taken", rows[i].data);
		check_string(rows[i].data, text.data, text.size, "before");
		assert_false(json.has_core);
		assert_false(json.has_context);
		for (int core = 0; core < READER_JSON_NR_CORE; core++)
			assert_false(reader_json_value(&json, core, &text));
		base_text_free(&text);
		reader_json_free(&json);
	}
}

static void core_members(void **state)
{
	static const char object[] =
		"{\"v\":0,\"time\":\"t\",\"a\":1,\"msg\":"
		"\"\xe2\x80\xae\xe2\x80\xac\","
		"\"level\" : { \"x\" : [ ] } ,\"p\\u0069d\":2,\"pid\":3,"
		"\"hostname\":\"h\"}";
	static const struct {
		enum reader_json_core core;
		const char *value; /* NULL: it isn't there */
	} rows[] = {
		{ READER_JSON_NAME, NULL },
		{ READER_JSON_HOSTNAME, "\"h\"" },
		{ READER_JSON_PID, "3" }, /* the last one */
		{ READER_JSON_LEVEL, "{\"x\":[]}" },
		{ READER_JSON_MSG, "\"\\u202e\\u202c\"" },
		{ READER_JSON_TIME, "\"t\"" },
		{ READER_JSON_V, "0" },
	};
	struct reader_json json = { 0 };
	struct base_text text = { 0 };

	(void)state;
	assert_true(splice(&json, &text, object, sizeof(object) - 1));
	check_string("the rest", text.data, text.size, ",\"a\":1");
	assert_true(json.has_core);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		base_text_cut(&text, 0);
		check_number("is there",
			     reader_json_value(&json, rows[i].core, &text),
			     rows[i].value != NULL);
		if (rows[i].value)
			check_string("value", text.data, text.size,
				     rows[i].value);
	}
	reader_json_forget(&json);
	assert_false(reader_json_value(&json, READER_JSON_PID, &text));
	assert_false(json.has_core);
	base_text_free(&text);
	reader_json_free(&json);
}

static void a_context(void **state)
{
	static const struct {
		const char *object;
		bool has_context;
	} rows[] = {
		{ "{\"context\":1}", true },
		{ "{\"c\\u006fntext\":1}", true },
		{ "{\"a\":{\"context\":1}}", false },
		{ "{\"contexts\":1}", false },
		{ "{\"contex\":1}", false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct reader_json json = { 0 };
		struct base_text text = { 0 };

		assert_true(splice(&json, &text, rows[i].object,
				   strlen(rows[i].object)));
		check_number(rows[i].object, json.has_context,
			     rows[i].has_context);
		base_text_free(&text);
		reader_json_free(&json);
	}
}

/* Nesting takes memory, not stack. */
static void deep_values(void **state)
{
	const size_t depth = 1000000;
	const char begin[] = "{\"a\":";
	size_t size = sizeof(begin) - 1 + 2 * depth + 1;
	char *object = malloc(size);
	struct reader_json json = { 0 };
	struct base_text text = { 0 };

	(void)state;
	assert_non_null(object);
	memcpy(object, begin, sizeof(begin) - 1);
	memset(object + sizeof(begin) - 1, '[', depth);
	memset(object + sizeof(begin) - 1 + depth, ']', depth);
	object[size - 1] = '}';
	assert_true(splice(&json, &text, object, size));
	assert_int_equal(text.size, size - 1);
	base_text_cut(&text, 0);
	object[size - 2] = '}';
	assert_false(splice(&json, &text, object, size));
	free(object);
	base_text_free(&text);
	reader_json_free(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_spliced),
		cmocka_unit_test(what_is_no_object),
		cmocka_unit_test(core_members),
		cmocka_unit_test(a_context),
		cmocka_unit_test(deep_values),
	};

	return cmocka_run_group_tests_name("reader-json", tests, NULL, NULL);
}
