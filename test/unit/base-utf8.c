// SPDX-License-Identifier: MIT
/* Tests of base/utf8.h and base/utf8_repair.h. */
#include "unit.h"

#include "base/utf8.h"
#include "base/utf8_repair.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

/* Some bytes, and what TextDecoder makes of them. */
static const struct {
	struct base_slice bytes;
	const char *repaired; /* NULL: they are valid */
} rows[] = {
	{ BYTES(""), NULL },
	{ BYTES("ascii"), NULL },
	{ BYTES("\x7f"), NULL },
	{ BYTES("\xc2\x80"), NULL },
	{ BYTES("\xdf\xbf"), NULL },
	{ BYTES("\xe0\xa0\x80"), NULL },
	{ BYTES("\xed\x9f\xbf"), NULL },
	{ BYTES("\xee\x80\x80"), NULL },
	{ BYTES("\xef\xbf\xbf"), NULL },
	{ BYTES("\xf0\x90\x80\x80"), NULL },
	{ BYTES("\xf4\x8f\xbf\xbf"), NULL },
	{ BYTES("\x80"), BAD },
	{ BYTES("\xbf\xbf"), BAD BAD },
	{ BYTES("\xc0\x80"), BAD BAD },
	{ BYTES("\xc1\xbf"), BAD BAD },
	{ BYTES("\xc3"), BAD },
	{ BYTES("\xc3\xc3\xa9"), BAD "\xc3\xa9" },
	{ BYTES("\xe0\x9f\xbf"), BAD BAD BAD },
	{ BYTES("\xe2\x82"), BAD },
	{ BYTES("\xe2\x82\x41"), BAD "A" },
	{ BYTES("\xed\xa0\x80"), BAD BAD BAD },
	{ BYTES("\xed\xbf\xbf"), BAD BAD BAD },
	{ BYTES("\xf0\x80\x80\x80"), BAD BAD BAD BAD },
	{ BYTES("\xf0\x9f\x98"), BAD },
	{ BYTES("\xf0\x9f\xc3\xa9"), BAD "\xc3\xa9" },
	{ BYTES("\xf4\x90\x80\x80"), BAD BAD BAD BAD },
	{ BYTES("\xf5\x80"), BAD BAD },
	{ BYTES("\xff"), BAD },
	{ BYTES("a\x80"
		"b"),
	  "a" BAD "b" },
};

/* Each row behind so many plain bytes, which are looked at by the word. */
static void invalid_bytes_are_replaced(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (size_t before = 0; before <= 17; before++) {
			char bytes[64] = "aaaaaaaaaaaaaaaaa";
			char expected[64];
			struct base_slice text = {
				bytes, before + rows[i].bytes.size
			};
			struct base_text out = { 0 };

			memcpy(bytes + before, rows[i].bytes.data,
			       rows[i].bytes.size);
			(void)snprintf(expected, sizeof(expected), "%.*s%s",
				       (int)before, "aaaaaaaaaaaaaaaaa",
				       rows[i].repaired ? rows[i].repaired
							: rows[i].bytes.data);
			check_number(expected, base_utf8_is_valid(text),
				     !rows[i].repaired);
			base_utf8_repair(&out, text);
			check_string(expected, out.data, out.size, expected);
			base_text_free(&out);
		}
	}
}

/* The two checkers agree but for what the reader's calls unseen. */
static void plain_bytes_end_where_they_are_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *at = rows[i].bytes.data;
		const char *end = at + rows[i].bytes.size;
		uint32_t code = 0;

		if (!rows[i].bytes.size)
			continue;
		if (rows[i].repaired && at[0] != 'a') {
			assert_int_equal(base_utf8_plain(at, end), 0);
			assert_int_equal(base_utf8_unseen(at, end, &code), 0);
		} else if (!rows[i].repaired) {
			assert_int_equal(
				base_utf8_plain(at, end) +
					base_utf8_unseen(at, end, &code),
				rows[i].bytes.size);
		}
	}
}

static void unseen_characters(void **state)
{
	static const struct {
		struct base_slice bytes;
		uint32_t code; /* UINT32_MAX: it is seen */
	} characters[] = {
		{ BYTES("\0"), 0 },
		{ BYTES("\x1f"), 0x1f },
		{ BYTES(" "), UINT32_MAX },
		{ BYTES("~"), UINT32_MAX },
		{ BYTES("\x7f"), 0x7f },
		{ BYTES("\xc2\x80"), 0x80 },
		{ BYTES("\xc2\x9f"), 0x9f },
		{ BYTES("\xc2\xa0"), UINT32_MAX },
		{ BYTES("\xc2\xad"), 0xad },
		{ BYTES("\xd8\x80"), 0x600 },
		{ BYTES("\xd8\x86"), UINT32_MAX },
		{ BYTES("\xdb\x9d"), 0x6dd },
		{ BYTES("\xdc\x8f"), 0x70f },
		{ BYTES("\xe0\xa2\x90"), 0x890 },
		{ BYTES("\xe1\xa0\x8e"), 0x180e },
		{ BYTES("\xe2\x80\x8b"), 0x200b },
		{ BYTES("\xe2\x80\x8c"), UINT32_MAX },
		{ BYTES("\xe2\x80\x8d"), UINT32_MAX },
		{ BYTES("\xe2\x80\x8f"), 0x200f },
		{ BYTES("\xe2\x81\xa5"), UINT32_MAX },
		/* NOLINTNEXTLINE(misc-misleading-bidirectional): on purpose */
		{ BYTES("\xe2\x81\xa6"), 0x2066 },
		{ BYTES("\xef\xbb\xbf"), 0xfeff },
		{ BYTES("\xef\xbf\xbb"), 0xfffb },
		{ BYTES("\xef\xbf\xbc"), UINT32_MAX },
		{ BYTES("\xf0\x91\x82\xbd"), 0x110bd },
		{ BYTES("\xf0\x9d\x85\xba"), 0x1d17a },
		{ BYTES("\xf3\xa0\x81\xbf"), 0xe007f },
		{ BYTES("\xf3\xa0\x82\x80"), UINT32_MAX },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(characters); i++) {
		const char *at = characters[i].bytes.data;
		size_t size = characters[i].bytes.size;
		bool is_unseen = characters[i].code != UINT32_MAX;
		uint32_t code = 0;

		check_number(at, (int64_t)base_utf8_plain(at, at + size),
			     is_unseen ? 0 : (int64_t)size);
		check_number(at,
			     (int64_t)base_utf8_unseen(at, at + size, &code),
			     is_unseen ? (int64_t)size : 0);
		if (is_unseen)
			check_number(at, code, characters[i].code);
	}
}

static void halves_of_surrogate_pairs(void **state)
{
	static const struct {
		const char *json;
		bool may_have; /* base_utf8_has_surrogates() */
		const char *kept;
	} texts[] = {
		{ "", false, "" },
		{ "plain", false, "plain" },
		{ "\\u0041", false, "\\u0041" },
		{ "\\ud7ff\\ue000", true, "\\ud7ff\\ue000" },
		{ "\\ud83d\\ude00", true, "\\ud83d\\ude00" },
		{ "\\uD83D\\uDE00", true, "\\uD83D\\uDE00" },
		{ "\\ud800", true, "\xed\xa0\x80" },
		{ "\\uDFFF", true, "\xed\xbf\xbf" },
		{ "\\ude00\\ud83d", true, "\xed\xb8\x80\xed\xa0\xbd" },
		{ "\\ud83d\\ud83d\\ude00", true, "\xed\xa0\xbd\\ud83d\\ude00" },
		{ "\\ud83dx\\ude00", true, "\xed\xa0\xbdx\xed\xb8\x80" },
		{ "\\\\ud800", false, "\\\\ud800" },
		{ "\\\\\\ud800", true, "\\\\\xed\xa0\x80" },
		{ "\\ud8", false, "\\ud8" },
		{ "\\ud80g", true, "\\ud80g" },
		{ "\\", false, "\\" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct base_slice text = { texts[i].json,
					   strlen(texts[i].json) };
		struct base_text out = { 0 };

		check_number(texts[i].json, base_utf8_has_surrogates(text),
			     texts[i].may_have);
		base_utf8_keep_halves(&out, text);
		check_string(texts[i].json, out.data, out.size, texts[i].kept);
		base_text_free(&out);
	}
}

static void exact_texts(void **state)
{
	static const struct {
		struct base_slice text;
		bool is_exact;
	} texts[] = {
		{ BYTES(""), false },
		{ BYTES("a"), true },
		{ BYTES("\0"), false },
		{ BYTES("a\0"), false },
		{ BYTES("\xed\x9f\xbf"), true },
		{ BYTES("\xed\xa0\x80"), false },
		{ BYTES("\xed\x9f\xbf\xed\xbf\xbf"), false },
		{ BYTES("\xf0\x9f\x98\x80"), true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(texts); i++)
		check_number(texts[i].text.data,
			     base_utf8_is_exact(texts[i].text),
			     texts[i].is_exact);
}

static void halves_are_replaced_in_place(void **state)
{
	char text[] = "a\xed\xa0\x80\xed\x9f\xbf\xed\xbf\xbf";

	(void)state;
	base_utf8_replace_halves(text, sizeof(text) - 1);
	assert_string_equal(text, "a" BAD "\xed\x9f\xbf" BAD);
}

static void hexadecimal_digits(void **state)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		const char *digit = memchr(digits, byte, sizeof(digits) - 1);
		long value = digit ? digit - digits : -1;

		assert_int_equal(base_hex_digit((char)byte),
				 value < 16 ? value : value - 6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(invalid_bytes_are_replaced),
		cmocka_unit_test(plain_bytes_end_where_they_are_invalid),
		cmocka_unit_test(unseen_characters),
		cmocka_unit_test(halves_of_surrogate_pairs),
		cmocka_unit_test(exact_texts),
		cmocka_unit_test(halves_are_replaced_in_place),
		cmocka_unit_test(hexadecimal_digits),
	};

	return cmocka_run_group_tests_name("base-utf8", tests, NULL, NULL);
}
