// SPDX-License-Identifier: MIT
/* Text that grows; see base/text.h. */
#include "base/text.h"

#include <stdlib.h>

#include "base/utf8.h"

#define FIRST_CAPACITY 4096
/* Digits of UINT64_MAX. */
#define MAX_DIGITS 20
/* \uXXXX */
#define ESCAPE_SIZE 6
/* Number.MAX_SAFE_INTEGER. */
#define MAX_EXACT INT64_C(9007199254740991)

void base_text_free(struct base_text *text)
{
	free(text->data);
	*text = (struct base_text){ 0 };
}

void base_text_fail(struct base_text *text)
{
	text->failed = true;
	/* No room for a single byte more: each append ends in base_text_grow(). */
	text->capacity = text->size;
}

bool base_text_grow(struct base_text *text, size_t size)
{
	size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
	char *data;

	if (text->failed || size > SIZE_MAX / 2 - text->size)
		goto failed;
	while (capacity - text->size < size)
		capacity *= 2;
	data = realloc(text->data, capacity);
	if (!data)
		goto failed;
	text->data = data;
	text->capacity = capacity;
	return true;
failed:
	base_text_fail(text);
	return false;
}

void base_text_append(struct base_text *text, const char *string)
{
	base_text_bytes(text, string, strlen(string));
}

void base_text_unsigned(struct base_text *text, uint64_t value)
{
	char digits[MAX_DIGITS];
	size_t first = MAX_DIGITS;

	do {
		digits[--first] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	base_text_bytes(text, digits + first, MAX_DIGITS - first);
}

void base_text_signed(struct base_text *text, int64_t value)
{
	if (value < 0)
		base_text_literal(text, "-");
	base_text_unsigned(text,
			   value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void base_text_integer(struct base_text *text, int64_t value)
{
	bool is_exact = value <= MAX_EXACT && value >= -MAX_EXACT;

	if (!is_exact)
		base_text_literal(text, "\"");
	base_text_signed(text, value);
	if (!is_exact)
		base_text_literal(text, "\"");
}

void base_text_unsigned_integer(struct base_text *text, uint64_t value)
{
	if (value <= INT64_MAX) {
		base_text_integer(text, (int64_t)value);
		return;
	}
	base_text_literal(text, "\"");
	base_text_unsigned(text, value);
	base_text_literal(text, "\"");
}

/* What follows the backslash for characters that have a short escape. */
static const char short_escapes[] = {
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  ['\f'] = 'f',
	['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\',
};

static char short_escape(unsigned char byte)
{
	if (byte >= sizeof(short_escapes))
		return '\0';
	return short_escapes[byte];
}

/* Appends the escape of a code unit of UTF-16. */
static void append_unit(struct base_text *text, uint32_t unit)
{
	static const char digits[] = "0123456789abcdef";
	const char escape[ESCAPE_SIZE] = {
		'\\',
		'u',
		digits[unit >> 12 & 0xf],
		digits[unit >> 8 & 0xf],
		digits[unit >> 4 & 0xf],
		digits[unit & 0xf],
	};

	base_text_bytes(text, escape, sizeof(escape));
}

size_t base_text_unseen(struct base_text *text, const char *at, const char *end)
{
	uint32_t code;
	size_t size = base_utf8_unseen(at, end, &code);

	if (!size)
		return 0;
	if (code < 0x10000) {
		append_unit(text, code);
	} else {
		append_unit(text, 0xd800 + ((code - 0x10000) >> 10));
		append_unit(text, 0xdc00 + (code & 0x3ff));
	}
	return size;
}

/* What is to be done with the characters that JSON doesn't forbid. */
enum form {
	VISIBLE, /* escape the unseen ones, put U+FFFD for what isn't UTF-8 */
	EXACT,	 /* none of that; escape halves of surrogate pairs */
};

/*
 * Appends what stands for the character at @at, where base_utf8_plain() has
 * stopped. Returns its bytes.
 */
static size_t append_special(struct base_text *text, const char *at,
			     const char *end, enum form form)
{
	char escape = short_escape((unsigned char)*at);
	bool is_control = (unsigned char)*at < 0x20;
	unsigned int half;
	size_t size;
	uint32_t code;

	if (escape) {
		base_text_char(text, '\\');
		base_text_char(text, escape);
		return 1;
	}
	if (form == VISIBLE || is_control) {
		size = base_text_unseen(text, at, end);
		if (size)
			return size;
	} else {
		half = base_utf8_half(at, end);
		if (half) {
			append_unit(text, half);
			return 3;
		}
		size = base_utf8_unseen(at, end, &code);
		if (size) {
			base_text_bytes(text, at, size);
			return size;
		}
	}
	base_text_literal(text, "\\ufffd");
	return 1;
}

static void append_string(struct base_text *text, const char *string,
			  size_t size, enum form form)
{
	const char *at = string;
	const char *end = string + size;

	base_text_literal(text, "\"");
	for (;;) {
		size_t plain = base_utf8_plain(at, end);

		base_text_bytes(text, at, plain);
		at += plain;
		if (at == end)
			break;
		at += append_special(text, at, end, form);
	}
	base_text_literal(text, "\"");
}

void base_text_string(struct base_text *text, const char *string, size_t size)
{
	append_string(text, string, size, VISIBLE);
}

void base_text_exact_string(struct base_text *text, struct base_slice string)
{
	append_string(text, string.data, string.size, EXACT);
}

size_t base_text_exact_size(struct base_slice string)
{
	const char *end = string.data + string.size;
	size_t size = string.size;

	for (const char *at = string.data; at < end; at++) {
		unsigned char byte = (unsigned char)*at;

		if (short_escape(byte))
			size += 1;
		else if (byte < 0x20)
			size += ESCAPE_SIZE - 1;
		else if (base_utf8_half(at, end))
			size += ESCAPE_SIZE - 3;
	}
	return size;
}
