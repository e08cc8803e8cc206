// SPDX-License-Identifier: MIT
/* Tests of base/text.h and base/map.h. */
#include "unit.h"

#include "base/map.h"
#include "base/text.h"

/* The first capacity, which what is written goes past. */
#define CAPACITY ((size_t)4096)

static const size_t sizes[] = {
	0, 1, CAPACITY - 1, CAPACITY, CAPACITY + 1, 3 * CAPACITY,
};

/* A byte that tells where it stands. */
static char byte_at(size_t at)
{
	return (char)('a' + at % 23);
}

static void check_run(const char *data, size_t size)
{
	for (size_t at = 0; at < size; at++)
		assert_int_equal(data[at], byte_at(at));
}

static void text_grows(void **state)
{
	char bytes[3 * CAPACITY];

	(void)state;
	for (size_t at = 0; at < sizeof(bytes); at++)
		bytes[at] = byte_at(at);
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct base_text text = { 0 };

		base_text_bytes(&text, bytes, sizes[i]);
		for (size_t at = sizes[i]; at < sizeof(bytes); at++)
			base_text_char(&text, bytes[at]);
		assert_int_equal(text.size, sizeof(bytes));
		assert_true(text.capacity >= text.size);
		assert_false(text.failed);
		check_run(text.data, text.size);
		base_text_free(&text);
		assert_null(text.data);
	}
}

/* What a text holds when it fails stays, and nothing comes to it any more. */
static void text_fails_once_and_for_all(void **state)
{
	static const size_t too_large[] = { SIZE_MAX, SIZE_MAX - 3,
					    SIZE_MAX / 2 - 3 };

	(void)state;
	for (size_t i = 0; i < LENGTH(too_large); i++) {
		struct base_text text = { 0 };

		base_text_literal(&text, "kept");
		assert_false(base_text_has_room(&text, too_large[i]));
		assert_true(text.failed);
		/* There was room for these. */
		base_text_char(&text, 'x');
		base_text_literal(&text, "lost");
		base_text_string(&text, "lost", 4);
		assert_false(base_text_has_room(&text, 1));
		assert_false(base_text_grow(&text, CAPACITY));
		check_string("after the failure", text.data, text.size, "kept");
		base_text_cut(&text, 2);
		base_text_char(&text, 'x');
		check_string("after a cut", text.data, text.size, "ke");
		base_text_cut(&text, 0);
		base_text_literal(&text, "lost");
		check_string("when empty", text.data, text.size, "");
		base_text_free(&text);
		assert_false(text.failed);
		base_text_literal(&text, "new");
		check_string("when freed", text.data, text.size, "new");
		base_text_free(&text);
	}
}

static void empty_text_fails(void **state)
{
	struct base_text text = { 0 };

	(void)state;
	base_text_bytes(&text, NULL, 0);
	assert_null(text.data);
	base_text_fail(&text);
	base_text_char(&text, 'x');
	assert_int_equal(text.size, 0);
	base_text_free(&text);
}

static void integers(void **state)
{
	static const struct {
		int64_t value;
		const char *plain;
		const char *json; /* a string, where a double is not exact */
	} rows[] = {
		{ 0, "0", "0" },
		{ -1, "-1", "-1" },
		{ 10, "10", "10" },
		{ INT64_C(9007199254740991), "9007199254740991",
		  "9007199254740991" },
		{ INT64_C(9007199254740992), "9007199254740992",
		  "\"9007199254740992\"" },
		{ INT64_C(-9007199254740991), "-9007199254740991",
		  "-9007199254740991" },
		{ INT64_C(-9007199254740992), "-9007199254740992",
		  "\"-9007199254740992\"" },
		{ INT64_MAX, "9223372036854775807", "\"9223372036854775807\"" },
		{ INT64_MIN, "-9223372036854775808",
		  "\"-9223372036854775808\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_text text = { 0 };

		base_text_signed(&text, rows[i].value);
		check_string("plain", text.data, text.size, rows[i].plain);
		base_text_cut(&text, 0);
		base_text_integer(&text, rows[i].value);
		check_string("JSON", text.data, text.size, rows[i].json);
		base_text_free(&text);
	}
}

static void unsigned_integers(void **state)
{
	static const struct {
		uint64_t value;
		const char *json;
	} rows[] = {
		{ 0, "0" },
		{ UINT64_C(9007199254740991), "9007199254740991" },
		{ UINT64_C(9007199254740992), "\"9007199254740992\"" },
		{ INT64_MAX, "\"9223372036854775807\"" },
		{ (uint64_t)INT64_MAX + 1, "\"9223372036854775808\"" },
		{ UINT64_MAX, "\"18446744073709551615\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_text text = { 0 };

		base_text_unsigned_integer(&text, rows[i].value);
		check_string("unsigned", text.data, text.size, rows[i].json);
		base_text_free(&text);
	}
}

/* What a JSON string holds of some bytes. */
static const struct {
	struct base_slice bytes;
	const char *json;
} strings[] = {
	{ BYTES(""), "" },
	{ BYTES("plain"), "plain" },
	{ BYTES("\"\\/"), "\\\"\\\\/" },
	{ BYTES("\b\f\n\r\t"), "\\b\\f\\n\\r\\t" },
	{ BYTES("\0\x01\x1b\x1f"), "\\u0000\\u0001\\u001b\\u001f" },
	{ BYTES(" ~\x7f"), " ~\\u007f" },
	{ BYTES("\xc2\x9b"), "\\u009b" },  /* a terminal's CSI in one byte */
	{ BYTES("\xc2\xa0"), "\xc2\xa0" }, /* no-break space */
	{ BYTES("\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8d\xe2\x80\x8e"),
	  "\\u200b\xe2\x80\x8c\xe2\x80\x8d\\u200e" }, /* the joiners stay */
	{ BYTES("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xac\xe2\x80\xaf"),
	  "\xe2\x80\xa7\\u2028\\u202e\\u202c\xe2\x80\xaf" },
	{ BYTES("\xf3\xa0\x80\x81"), "\\udb40\\udc01" }, /* U+E0001 */
	{ BYTES("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80" },
	{ BYTES("\xef\xbb\xbf"), "\\ufeff" },
	{ BYTES("\x80"), "\\ufffd" },
	{ BYTES("\xc0\x80"), "\\ufffd\\ufffd" },
	{ BYTES("\xc3"), "\\ufffd" },
	{ BYTES("\xed\xa0\x80"), "\\ufffd\\ufffd\\ufffd" },
	{ BYTES("\xf4\x90\x80\x80"), "\\ufffd\\ufffd\\ufffd\\ufffd" },
};

static void json_strings(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(strings); i++) {
		char expected[64];
		struct base_text text = { 0 };

		(void)snprintf(expected, sizeof(expected), "\"%s\"",
			       strings[i].json);
		base_text_string(&text, strings[i].bytes.data,
				 strings[i].bytes.size);
		check_string(strings[i].json, text.data, text.size, expected);
		base_text_free(&text);
	}
}

/* Plain bytes are skipped in blocks: a special one must be seen at any place. */
static void json_strings_at_each_place(void **state)
{
	(void)state;
	for (size_t i = 1; i < LENGTH(strings); i++) {
		for (size_t at = 0; at <= 33; at++) {
			char bytes[128], expected[128];
			size_t size = strings[i].bytes.size;
			struct base_text text = { 0 };

			memset(bytes, 'x', sizeof(bytes));
			memcpy(bytes + at, strings[i].bytes.data, size);
			base_text_string(&text, bytes, at + size + 17);
			(void)snprintf(expected, sizeof(expected),
				       "\"%.*s%sxxxxxxxxxxxxxxxxx\"", (int)at,
				       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
				       strings[i].json);
			check_string(strings[i].json, text.data, text.size,
				     expected);
			base_text_free(&text);
		}
	}
}

/* As JSON.stringify() writes them: what is unseen stays, halves don't. */
static void exact_json_strings(void **state)
{
	static const struct {
		struct base_slice bytes;
		const char *json;
	} rows[] = {
		{ BYTES(""), "\"\"" },
		{ BYTES("\"\\/"), "\"\\\"\\\\/\"" },
		{ BYTES("\0\x1f\n\x7f"), "\"\\u0000\\u001f\\n\x7f\"" },
		{ BYTES("a\xed\x9f\xbf"), "\"a\xed\x9f\xbf\"" },
		{ BYTES("a\xed\xa0\x80z"), "\"a\\ud800z\"" },
		{ BYTES("\xed\xbf\xbf\xed\xa0\xbd"), "\"\\udfff\\ud83d\"" },
		{ BYTES("\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x80\x81"),
		  "\"\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x80\x81\"" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_text text = { 0 };

		base_text_exact_string(&text, rows[i].bytes);
		check_string(rows[i].json, text.data, text.size, rows[i].json);
		check_number(rows[i].json,
			     (int64_t)base_text_exact_size(rows[i].bytes),
			     (int64_t)text.size - 2);
		base_text_free(&text);
	}
}

/* A code point as UTF-8; half a surrogate pair likewise. Returns its bytes. */
static size_t encode(uint32_t code, char bytes[4])
{
	if (code < 0x80) {
		bytes[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | code >> 18);
	bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

static void each_character_stays_exact(void **state)
{
	struct base_text text = { 0 };

	(void)state;
	for (uint32_t code = 0; code < 0x110000; code++) {
		char bytes[4], expected[16];
		struct base_slice slice = { bytes, encode(code, bytes) };
		bool is_plain = code >= 0x20 && code != '"' && code != '\\' &&
				(code < 0xd800 || code > 0xdfff);

		base_text_cut(&text, 0);
		base_text_exact_string(&text, slice);
		if (is_plain)
			check_bytes("plain", text.data + 1, text.size - 2,
				    bytes, slice.size);
		(void)snprintf(expected, sizeof(expected), "\\u%04x", code);
		if (!is_plain && text.size == 8)
			check_string("escape", text.data + 1, 6, expected);
		else if (!is_plain)
			check_number("short escape", (int64_t)text.size, 4);
		assert_int_equal(base_text_exact_size(slice), text.size - 2);
	}
	base_text_free(&text);
}

static size_t nr_freed;

static void count_freed(void *value)
{
	assert_non_null(value);
	nr_freed++;
}

static void map_finds_what_was_added(void **state)
{
	/* Around the first growth, at half of 64 places, and far beyond. */
	static const size_t counts[] = { 0, 1, 31, 32, 33, 1000 };
	static char keys[1001][16];

	(void)state;
	for (size_t i = 0; i < LENGTH(counts); i++) {
		struct base_map map = { 0 };

		for (size_t key = 0; key < counts[i]; key++)
			assert_int_equal(
				base_map_add(&map, keys[key], keys[key] + 1),
				0);
		for (size_t key = 0; key < counts[i]; key++)
			assert_ptr_equal(base_map_get(&map, keys[key]),
					 keys[key] + 1);
		assert_null(base_map_get(&map, keys[counts[i]]));
		nr_freed = 0;
		base_map_free(&map, count_freed);
		assert_int_equal(nr_freed, counts[i]);
		assert_null(base_map_get(&map, keys[0]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_grows),
		cmocka_unit_test(text_fails_once_and_for_all),
		cmocka_unit_test(empty_text_fails),
		cmocka_unit_test(integers),
		cmocka_unit_test(unsigned_integers),
		cmocka_unit_test(json_strings),
		cmocka_unit_test(json_strings_at_each_place),
		cmocka_unit_test(exact_json_strings),
		cmocka_unit_test(each_character_stays_exact),
		cmocka_unit_test(map_finds_what_was_added),
	};

	return cmocka_run_group_tests_name("base-text", tests, NULL, NULL);
}
