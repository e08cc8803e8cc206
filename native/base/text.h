/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow, most often text: where lines of output are put together.
 *
 * Out of memory is sticky: the first time that a text cannot grow, it keeps what it
 * has, sets .failed, and appends nothing from then on. Whoever uses the text in the
 * end checks .failed once; nobody needs to check each append.
 */
#ifndef NFTRACE_NATIVE_BASE_TEXT_H
#define NFTRACE_NATIVE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"

/* Zeroed is empty. Not for use by several threads at once. */
struct base_text {
	char *data; /* owned; not NUL-terminated; NULL until the first append */
	size_t size;
	size_t capacity;
	bool failed; /* memory ran out; since then nothing has been appended */
};

/* Frees what @text holds and makes it empty; it has not failed any more. */
void base_text_free(struct base_text *text);

/* Makes @text fail as if memory had run out. */
void base_text_fail(struct base_text *text);

/* base_text_has_room() when there isn't yet. */
bool base_text_grow(struct base_text *text, size_t size);

/*
 * Makes room for @size more bytes, at least one. Returns false, with text->failed,
 * when out of memory.
 */
static inline bool base_text_has_room(struct base_text *text, size_t size)
{
	return size <= text->capacity - text->size ||
	       base_text_grow(text, size);
}

/*
 * The same. Returns where the bytes go, for the caller to write and to count in
 * text->size; NULL when out of memory.
 */
static inline char *base_text_reserve(struct base_text *text, size_t size)
{
	return base_text_has_room(text, size) ? text->data + text->size : NULL;
}

/* Cuts the text to its first @size bytes; it must have that many. */
static inline void base_text_cut(struct base_text *text, size_t size)
{
	text->size = size;
	if (text->failed)
		text->capacity = size;
}

/* Appends bytes as they are. */
static inline void base_text_bytes(struct base_text *text, const void *bytes,
				   size_t size)
{
	if (!size || !base_text_has_room(text, size))
		return;
	memcpy(text->data + text->size, bytes, size);
	text->size += size;
}

/* Appends one byte. */
static inline void base_text_char(struct base_text *text, char byte)
{
	if (base_text_has_room(text, 1))
		text->data[text->size++] = byte;
}

/* What @text holds; until it changes. */
static inline struct base_slice base_text_slice(const struct base_text *text)
{
	return (struct base_slice){ text->data, text->size };
}

/* Appends a string literal. */
#define base_text_literal(text, literal) \
	base_text_bytes((text), "" literal, sizeof(literal) - 1)

/* Appends the NUL-terminated @string as it is. */
void base_text_append(struct base_text *text, const char *string);

/* Appends a decimal number. */
void base_text_unsigned(struct base_text *text, uint64_t value);
void base_text_signed(struct base_text *text, int64_t value);

/*
 * Appends a JSON value for an integer of a trace: a number where a JavaScript
 * number holds it exactly (up to 2^53), else a string of its digits.
 */
void base_text_integer(struct base_text *text, int64_t value);
void base_text_unsigned_integer(struct base_text *text, uint64_t value);

/*
 * Appends \uXXXX, or two of them, for the unseen character (see base/utf8.h)
 * at @at, which is before @end. Returns the character's bytes; 0, and appends
 * nothing, if there is none.
 */
size_t base_text_unseen(struct base_text *text, const char *at,
			const char *end);

/*
 * Appends @string as a JSON string, quotes included: valid UTF-8 whatever the
 * bytes are (U+FFFD stands for what isn't), with unseen characters escaped.
 */
void base_text_string(struct base_text *text, const char *string, size_t size);

/*
 * Appends @string as JSON.stringify() writes it, quotes included: UTF-8 with
 * JavaScript's halves of surrogate pairs (see base/utf8_repair.h), which come out
 * as \udXXX.
 */
void base_text_exact_string(struct base_text *text, struct base_slice string);

/* The bytes that base_text_exact_string() appends, without the quotes. */
size_t base_text_exact_size(struct base_slice string);

#endif /* NFTRACE_NATIVE_BASE_TEXT_H */
