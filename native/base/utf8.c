// SPDX-License-Identifier: MIT
/* Which bytes are characters, and which ones are seen; see base/utf8.h. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DEL 0x7f

#define EIGHT_TRUE true, true, true, true, true, true, true, true

/* Bytes that are not plain ASCII. */
static const bool is_special[256] = {
	EIGHT_TRUE,   EIGHT_TRUE,    EIGHT_TRUE,   EIGHT_TRUE, /* controls */
	['"'] = true, ['\\'] = true, [DEL] = true, EIGHT_TRUE, EIGHT_TRUE,
	EIGHT_TRUE,   EIGHT_TRUE,    EIGHT_TRUE,   EIGHT_TRUE, EIGHT_TRUE,
	EIGHT_TRUE,   EIGHT_TRUE,    EIGHT_TRUE,   EIGHT_TRUE, EIGHT_TRUE,
	EIGHT_TRUE,   EIGHT_TRUE,    EIGHT_TRUE,   EIGHT_TRUE,
};

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

/* Whether the second byte of a character goes with its first one. */
static bool is_second(unsigned char first, unsigned char byte)
{
	/* No overlong forms, surrogates, or anything above U+10FFFF. */
	switch (first) {
	case 0xe0:
		return byte >= 0xa0 && byte <= 0xbf;
	case 0xed:
		return byte >= 0x80 && byte <= 0x9f;
	case 0xf0:
		return byte >= 0x90 && byte <= 0xbf;
	case 0xf4:
		return byte >= 0x80 && byte <= 0x8f;
	default:
		return is_continuation(byte);
	}
}

/* base_utf8_character() for one that isn't ASCII. */
static inline size_t wide_character(const unsigned char *at,
				    const unsigned char *end, size_t *bad)
{
	size_t left = (size_t)(end - at);

	*bad = 1;
	if (at[0] < 0xc2 || at[0] > 0xf4 || left < 2 ||
	    !is_second(at[0], at[1]))
		return 0;
	if (at[0] < 0xe0)
		return 2;
	*bad = 2;
	if (left < 3 || !is_continuation(at[2]))
		return 0;
	if (at[0] < 0xf0)
		return 3;
	*bad = 3;
	return left < 4 || !is_continuation(at[3]) ? 0 : 4;
}

size_t base_utf8_character(const char *at, const char *end, size_t *bad)
{
	const unsigned char *byte = (const unsigned char *)at;

	if (*byte < 0x80)
		return 1;
	return wide_character(byte, (const unsigned char *)end, bad);
}

/* The code point of a valid character of @size bytes. */
static uint32_t decode(const unsigned char *at, size_t size)
{
	/* The bits of the first byte that are the character's, by its size. */
	static const unsigned char bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t code = at[0] & bits[size];

	for (size_t i = 1; i < size; i++)
		code = code << 6 | (at[i] & 0x3f);
	return code;
}

/*
 * Unicode's categories Cc, Cf, Zl and Zp, in order; U+200C and U+200D, which
 * Persian, the scripts of India and emoji are written with, are not here.
 */
static const struct {
	uint32_t first;
	uint32_t last;
} unseen[] = {
	{ 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },
	{ 0x0600, 0x0605 },   { 0x061c, 0x061c },   { 0x06dd, 0x06dd },
	{ 0x070f, 0x070f },   { 0x0890, 0x0891 },   { 0x08e2, 0x08e2 },
	{ 0x180e, 0x180e },   { 0x200b, 0x200b },   { 0x200e, 0x200f },
	{ 0x2028, 0x202e },   { 0x2060, 0x2064 },   { 0x2066, 0x206f },
	{ 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },   { 0x110bd, 0x110bd },
	{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0001, 0xe0001 }, { 0xe0020, 0xe007f },
};

static bool is_unseen(uint32_t code)
{
	size_t low = 0;
	size_t high = sizeof(unseen) / sizeof(unseen[0]);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (code > unseen[middle].last)
			low = middle + 1;
		else if (code < unseen[middle].first)
			high = middle;
		else
			return true;
	}
	return false;
}

/* Whether a character that begins with a byte may be one of these. */
static bool may_be_unseen(unsigned char first)
{
	switch (first) {
	case 0xc2: /* U+0080 to U+00BF */
	case 0xd8: /* U+0600 to U+063F */
	case 0xdb: /* U+06C0 to U+06FF */
	case 0xdc: /* U+0700 to U+073F */
	case 0xe0: /* U+0800 to U+0FFF */
	case 0xe1: /* U+1000 to U+1FFF */
	case 0xe2: /* U+2000 to U+2FFF */
	case 0xef: /* U+F000 to U+FFFF */
	case 0xf0: /* U+10000 to U+3FFFF */
	case 0xf3: /* U+C0000 to U+FFFFF */
		return true;
	default:
		return false;
	}
}

size_t base_utf8_plain(const char *at, const char *end)
{
	const unsigned char *byte = (const unsigned char *)at;
	const unsigned char *last = (const unsigned char *)end;

	for (;;) {
		size_t size, bad;

		byte = skip_plain_blocks(byte, last);
		while (byte < last && !is_special[*byte])
			byte++;
		if (byte == last || *byte < 0x80)
			break;
		size = wide_character(byte, last, &bad);
		if (!size ||
		    (may_be_unseen(*byte) && is_unseen(decode(byte, size))))
			break;
		byte += size;
	}
	return (size_t)((const char *)byte - at);
}

size_t base_utf8_unseen(const char *at, const char *end, uint32_t *code)
{
	size_t bad;
	size_t size = base_utf8_character(at, end, &bad);

	if (!size)
		return 0;
	*code = decode((const unsigned char *)at, size);
	return is_unseen(*code) ? size : 0;
}
