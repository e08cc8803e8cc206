// SPDX-License-Identifier: MIT
/* Strings as JSON text; see escape.h. */
#include "escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* What follows the backslash for characters that have a short escape. */
static const char short_escapes[] = {
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  ['\f'] = 'f',
	['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\',
};

static char short_escape(unsigned char c)
{
	if (c >= sizeof(short_escapes))
		return '\0';
	return short_escapes[c];
}

static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/*
 * Whether any of 8 bytes needs an escape. A byte of x is less than n (at most
 * 128) if subtracting n from it borrows into its top bit and that was not set;
 * what a borrow does to the bytes above a hit doesn't matter here.
 */
static bool any_needs_escape(uint64_t x)
{
	uint64_t quote = x ^ BYTES('"');
	uint64_t backslash = x ^ BYTES('\\');

	return (((x - BYTES(0x20)) & ~x) | ((quote - BYTES(1)) & ~quote) |
		((backslash - BYTES(1)) & ~backslash)) &
	       BYTES(0x80);
}

/* Bytes at the start of a string that need no escape, in steps of 8. */
static size_t plain_words(const char *string, size_t size)
{
	size_t done = 0;
	uint64_t word;

	for (; size - done >= sizeof(word); done += sizeof(word)) {
		memcpy(&word, string + done, sizeof(word));
		if (any_needs_escape(word))
			break;
	}
	return done;
}

size_t addon_escaped_size(const char *string, size_t size)
{
	size_t escaped = size;

	for (size_t i = plain_words(string, size); i < size;) {
		size_t end = size - i < 8 ? size : i + 8;

		for (; i < end; i++) {
			unsigned char c = (unsigned char)string[i];

			if (needs_escape(c))
				escaped += short_escape(c) ? 1 : 5;
		}
		i += plain_words(string + i, size - i);
	}
	return escaped;
}

static char *write_escape(char *to, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	*to++ = '\\';
	if (short_escape(c)) {
		*to++ = short_escape(c);
		return to;
	}
	memcpy(to, "u00", 3);
	to[3] = digits[c >> 4];
	to[4] = digits[c & 0xf];
	return to + 5;
}

void addon_escape(char *string, size_t size, size_t escaped_size)
{
	char *to = string;
	/* From the end of the room, so that reading stays ahead of writing. */
	const char *from = string + (escaped_size - size);
	const char *end = string + escaped_size;

	if (escaped_size == size)
		return;
	memmove(string + (escaped_size - size), string, size);
	while (from < end) {
		size_t plain = plain_words(from, (size_t)(end - from));
		const char *next;

		memmove(to, from, plain);
		to += plain;
		from += plain;
		next = end - from < 8 ? end : from + 8;
		for (; from < next; from++) {
			if (needs_escape((unsigned char)*from))
				to = write_escape(to, (unsigned char)*from);
			else
				*to++ = *from;
		}
	}
}
