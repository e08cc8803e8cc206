// SPDX-License-Identifier: MIT
/* JSON strings; see pipe/json.h. */
#include "pipe/json.h"

#include <inttypes.h>
#include <stdio.h>

#define LONGEST_ESCAPE 6 /* \uXXXX */
#define ELLIPSIS       "\xe2\x80\xa6"
#define ELLIPSIS_SIZE  3

/*
 * What a byte of a decoded text needs: PLAIN, HALF (maybe the first of a half
 * of a surrogate pair), \uXXXX, or a backslash and the letter given.
 */
enum {
	PLAIN = 0,
	HALF = 1,
	UNICODE = 'u'
};

static const char escapes[256] = {
	UNICODE, UNICODE, UNICODE,     UNICODE,	      UNICODE,	    UNICODE,
	UNICODE, UNICODE, 'b',	       't',	      'n',	    UNICODE,
	'f',	 'r',	  UNICODE,     UNICODE,	      UNICODE,	    UNICODE,
	UNICODE, UNICODE, UNICODE,     UNICODE,	      UNICODE,	    UNICODE,
	UNICODE, UNICODE, UNICODE,     UNICODE,	      UNICODE,	    UNICODE,
	UNICODE, UNICODE, ['"'] = '"', ['\\'] = '\\', [0xed] = HALF
};

/* The code unit of the half of a surrogate pair at @byte; 0: there is none. */
static unsigned int half_at(const unsigned char *byte)
{
	if (byte[0] != 0xed || byte[1] < 0xa0)
		return 0;
	return 0xd000U | (byte[1] & 0x3fU) << 6 | (byte[2] & 0x3fU);
}

static void add_unicode(struct base_text *out, unsigned int unit)
{
	static const char digits[] = "0123456789abcdef";
	const char escape[LONGEST_ESCAPE] = {
		'\\',
		'u',
		digits[unit >> 12 & 15],
		digits[unit >> 8 & 15],
		digits[unit >> 4 & 15],
		digits[unit & 15],
	};

	base_text_bytes(out, escape, sizeof(escape));
}

void pipe_json_add_string(struct base_text *out, struct base_slice text)
{
	const char *end = text.data + text.size;
	const char *plain = text.data;

	base_text_char(out, '"');
	for (const char *at = plain; at < end;) {
		const unsigned char *byte;
		size_t size = 1;
		char escape;

		while (at < end && escapes[(unsigned char)*at] == PLAIN)
			at++;
		if (at == end)
			break;
		byte = (const unsigned char *)at;
		escape = escapes[*byte];
		if (escape == HALF && !half_at(byte)) {
			at++;
			continue;
		}
		base_text_bytes(out, plain, (size_t)(at - plain));
		if (escape == HALF) {
			add_unicode(out, half_at(byte));
			size = 3;
		} else if (escape == UNICODE) {
			add_unicode(out, *byte);
		} else {
			base_text_char(out, '\\');
			base_text_char(out, escape);
		}
		at += size;
		plain = at;
	}
	base_text_bytes(out, plain, (size_t)(end - plain));
	base_text_char(out, '"');
}

void pipe_json_add_number(struct base_text *out, uint64_t number)
{
	char digits[24];

	base_text_bytes(
		out, digits,
		(size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number));
}

size_t pipe_json_size(struct base_slice text)
{
	size_t size = text.size;

	for (size_t i = 0; i < text.size; i++) {
		const unsigned char *byte =
			(const unsigned char *)text.data + i;
		char escape = escapes[*byte];

		if (escape == PLAIN)
			continue;
		if (escape == HALF)
			size += half_at(byte) ? LONGEST_ESCAPE - 3 : 0;
		else
			size += escape == UNICODE ? LONGEST_ESCAPE - 1 : 1;
	}
	return size;
}

/* The bytes of the UTF-8 sequence that begins with a byte. */
static size_t sequence_size(unsigned char byte)
{
	return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/*
 * The bytes that a character takes in JSON at the most: lib/record/limit.js counts
 * six for each control character, whose escape may be shorter.
 */
static size_t character_cost(const unsigned char *byte)
{
	if (*byte < 0x20 || half_at(byte))
		return LONGEST_ESCAPE;
	if (*byte == '"' || *byte == '\\')
		return 2;
	return sequence_size(*byte);
}

/* The size of the escape that begins a text, and what its character costs. */
static size_t escape_size(const char *escape, size_t *cost)
{
	*cost = LONGEST_ESCAPE;
	if (escape[1] == 'u')
		return LONGEST_ESCAPE;
	if (escape[1] == '"' || escape[1] == '\\')
		*cost = 2;
	return 2;
}

void pipe_json_cut(struct base_text *out, struct base_slice text, bool escaped,
		   size_t most)
{
	size_t left = most > ELLIPSIS_SIZE ? most - ELLIPSIS_SIZE : 0;
	size_t end = 0;

	while (end < text.size) {
		const char *at = text.data + end;
		size_t cost, size;

		if (escaped && *at == '\\') {
			size = escape_size(at, &cost);
		} else {
			cost = character_cost((const unsigned char *)at);
			size = sequence_size((unsigned char)*at);
		}
		if (cost > left)
			break;
		left -= cost;
		end += size;
	}
	base_text_bytes(out, text.data, end);
	base_text_bytes(out, ELLIPSIS, ELLIPSIS_SIZE);
}

bool pipe_json_next_string(const char **at, const char *end,
			   struct base_slice *inside, bool *is_key)
{
	const char *quote = memchr(*at, '"', (size_t)(end - *at));
	const char *next = quote;

	if (!quote)
		return false;
	do {
		next = memchr(next + 1, '"', (size_t)(end - next - 1));
		if (!next)
			return false;
		*at = next;
		while ((*at)[-1] == '\\')
			(*at)--;
	} while ((next - *at) % 2);
	inside->data = quote + 1;
	inside->size = (size_t)(next - quote - 1);
	*at = next + 1;
	*is_key = *at < end && **at == ':';
	return true;
}
