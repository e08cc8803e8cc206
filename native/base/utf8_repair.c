// SPDX-License-Identifier: MIT
/* UTF-8 with JavaScript's eyes; see base/utf8_repair.h. */
#include "base/utf8_repair.h"

#include <stdint.h>

#include "base/utf8.h"

#define HIGH_BITS UINT64_C(0x8080808080808080)

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* How many bytes at the beginning of a text are ASCII; may stop early. */
static size_t skip_ascii(const char *data, size_t size)
{
	size_t i = 0;

	for (; size - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, data + i, sizeof(word));
		if (word & HIGH_BITS)
			break;
	}
	while (i < size && !(data[i] & 0x80))
		i++;
	return i;
}

int base_hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	digit |= 0x20;
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool base_utf8_is_valid(struct base_slice text)
{
	const char *end = text.data + text.size;
	const char *at = text.data;

	for (;;) {
		size_t valid, bad;

		at += skip_ascii(at, (size_t)(end - at));
		if (at == end)
			return true;
		valid = base_utf8_character(at, end, &bad);
		if (!valid)
			return false;
		at += valid;
	}
}

void base_utf8_repair(struct base_text *out, struct base_slice text)
{
	const char *end = text.data + text.size;
	const char *at = text.data;

	while (at < end) {
		size_t bad;
		size_t valid = base_utf8_character(at, end, &bad);

		if (valid)
			base_text_bytes(out, at, valid);
		else
			base_text_literal(out, REPLACEMENT);
		at += valid ? valid : bad;
	}
}

bool base_utf8_has_surrogates(struct base_slice json)
{
	const char *end = json.data + json.size;
	const char *at = json.data;

	while ((at = memchr(at, '\\', (size_t)(end - at)))) {
		if (end - at >= 6 && at[1] == 'u' && (at[2] | 0x20) == 'd')
			return true;
		at += end - at > 1 ? 2 : 1;
	}
	return false;
}

/* The code unit of a \uXXXX at @at; -1: there is none. */
static int escaped_unit(const char *at, const char *end)
{
	int unit = 0;

	if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int digit = base_hex_digit(at[i]);

		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

static bool is_half(int unit)
{
	return (unit & ~0x7ff) == 0xd800;
}

static bool is_pair(int high, int low)
{
	return (high & ~0x3ff) == 0xd800 && (low & ~0x3ff) == 0xdc00;
}

void base_utf8_keep_halves(struct base_text *out, struct base_slice json)
{
	const char *end = json.data + json.size;
	const char *at = json.data;

	while (at < end) {
		const char *escape = memchr(at, '\\', (size_t)(end - at));
		size_t size = 2; /* of the escape */
		int unit;

		if (!escape) {
			base_text_bytes(out, at, (size_t)(end - at));
			return;
		}
		base_text_bytes(out, at, (size_t)(escape - at));
		unit = escaped_unit(escape, end);
		if (is_half(unit)) {
			size = 6;
			if (!is_pair(unit, escaped_unit(escape + 6, end))) {
				const char half[] = {
					(char)(0xe0 | unit >> 12),
					(char)(0x80 | (unit >> 6 & 0x3f)),
					(char)(0x80 | (unit & 0x3f)),
				};

				base_text_bytes(out, half, sizeof(half));
				at = escape + size;
				continue;
			}
			size = 12;
		}
		if (size > (size_t)(end - escape))
			size = (size_t)(end - escape);
		base_text_bytes(out, escape, size);
		at = escape + size;
	}
}

static const char *find_half(const char *at, const char *end)
{
	while ((at = memchr(at, 0xed, (size_t)(end - at)))) {
		if (base_utf8_half(at, end))
			return at;
		at++;
	}
	return NULL;
}

bool base_utf8_is_exact(struct base_slice text)
{
	return text.size && !memchr(text.data, '\0', text.size) &&
	       !find_half(text.data, text.data + text.size);
}

void base_utf8_replace_halves(char *data, size_t size)
{
	char *end = data + size;

	while ((data = (char *)find_half(data, end)))
		memcpy(data, REPLACEMENT, sizeof(REPLACEMENT) - 1);
}
