// SPDX-License-Identifier: MIT
/* What may stand in a JSON string as it is; see reader_utf8.h. */
#include "reader_utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DEL 0x7f

static bool is_plain_ascii(unsigned char byte)
{
	return byte >= 0x20 && byte < DEL && byte != '"' && byte != '\\';
}

#ifdef __SSE2__
#include <emmintrin.h>

/* Skips sixteen bytes at a time; most of a trace's bytes go this way. */
static const unsigned char *skip_plain_blocks(const unsigned char *byte,
					      const unsigned char *last)
{
	const __m128i space = _mm_set1_epi8(0x20);
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i backslash = _mm_set1_epi8('\\');
	const __m128i delete = _mm_set1_epi8(DEL);

	while (last - byte >= (ptrdiff_t)sizeof(__m128i)) {
		__m128i block = _mm_loadu_si128((const __m128i *)byte);
		/* Signed: what isn't ASCII is below space as well. */
		__m128i special = _mm_or_si128(
			_mm_or_si128(_mm_cmplt_epi8(block, space),
				     _mm_cmpeq_epi8(block, quote)),
			_mm_or_si128(_mm_cmpeq_epi8(block, backslash),
				     _mm_cmpeq_epi8(block, delete)));
		int mask = _mm_movemask_epi8(special);

		if (mask)
			return byte + __builtin_ctz((unsigned int)mask);
		byte += sizeof(block);
	}
	return byte;
}
#else
/* The same byte eight times. */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Non-zero when some byte of @word is zero. */
static uint64_t has_zero(uint64_t word)
{
	return (word - EACH(0x01)) & ~word & EACH(0x80);
}

static bool is_plain_word(uint64_t word)
{
	uint64_t below_space = (word - EACH(0x20)) & ~word & EACH(0x80);

	return !(below_space | (word & EACH(0x80)) |
		 has_zero(word ^ EACH('"')) | has_zero(word ^ EACH('\\')) |
		 has_zero(word ^ EACH(DEL)));
}

/* Skips eight bytes at a time. */
static const unsigned char *skip_plain_blocks(const unsigned char *byte,
					      const unsigned char *last)
{
	uint64_t word;

	while (last - byte >= (ptrdiff_t)sizeof(word)) {
		memcpy(&word, byte, sizeof(word));
		if (!is_plain_word(word))
			break;
		byte += sizeof(word);
	}
	return byte;
}
#endif

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Bytes of the character of two to four bytes at @at; 0 if there is none. */
static size_t wide_character(const unsigned char *at, const unsigned char *end)
{
	size_t left = (size_t)(end - at);

	if (at[0] < 0xc2 || at[0] > 0xf4 || left < 2 || !is_continuation(at[1]))
		return 0;
	if (at[0] < 0xe0)
		return 2;
	if (left < 3 || !is_continuation(at[2]))
		return 0;
	if (at[0] < 0xf0) {
		bool is_overlong = at[0] == 0xe0 && at[1] < 0xa0;
		bool is_surrogate = at[0] == 0xed && at[1] >= 0xa0;

		return is_overlong || is_surrogate ? 0 : 3;
	}
	if (left < 4 || !is_continuation(at[3]))
		return 0;
	if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
		return 0;
	return 4;
}

/* U+0080 to U+009F: what an eight-bit terminal takes for ESC and a letter. */
static bool is_c1(const unsigned char *at)
{
	return at[0] == 0xc2 && at[1] < 0xa0;
}

size_t reader_utf8_plain(const char *at, const char *end)
{
	const unsigned char *byte = (const unsigned char *)at;
	const unsigned char *last = (const unsigned char *)end;

	for (;;) {
		size_t size;

		byte = skip_plain_blocks(byte, last);
		while (byte < last && is_plain_ascii(*byte))
			byte++;
		if (byte == last || *byte < 0x80)
			break;
		size = wide_character(byte, last);
		if (!size || is_c1(byte))
			break;
		byte += size;
	}
	return (size_t)((const char *)byte - at);
}

size_t reader_utf8_escape(const char *at, const char *end,
			  char escape[READER_UTF8_ESCAPE])
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *byte = (const unsigned char *)at;
	size_t size = 1;
	unsigned char code = byte[0];

	if (end - at >= 2 && is_c1(byte) && is_continuation(byte[1])) {
		size = 2;
		code = byte[1];
	} else if (code >= 0x20 && code != DEL) {
		return 0;
	}
	memcpy(escape, "\\u00", 4);
	escape[4] = digits[code >> 4];
	escape[5] = digits[code & 0xf];
	return size;
}
