// SPDX-License-Identifier: MIT
/* JSON strings; see pipe/json.h. */
#include "pipe/json.h"

#include "base/utf8.h"

#define LONGEST_ESCAPE 6 /* \uXXXX */
#define ELLIPSIS       "\xe2\x80\xa6"
#define ELLIPSIS_SIZE  3

/* The bytes of the UTF-8 sequence that begins with a byte. */
static size_t sequence_size(unsigned char byte)
{
	return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/*
 * The bytes that a character takes in JSON at the most: lib/record/limit.js counts
 * six for each control character, whose escape may be shorter.
 */
static size_t character_cost(const char *at, const char *end)
{
	unsigned char byte = (unsigned char)*at;

	if (byte < 0x20 || base_utf8_half(at, end))
		return LONGEST_ESCAPE;
	if (byte == '"' || byte == '\\')
		return 2;
	return sequence_size(byte);
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
			cost = character_cost(at, text.data + text.size);
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
