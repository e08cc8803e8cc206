/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: where its characters are, and which of them may stand in a JSON string, and
 * on a terminal, as they are.
 *
 * Unseen are those that a terminal obeys or shows nothing of: Unicode's controls
 * and format characters, among them those that turn the direction of a text, and
 * its separators of lines and paragraphs. The two joiners U+200C and U+200D are
 * not meant: they are a part of how some scripts are written.
 */
#ifndef NFTRACE_NATIVE_BASE_UTF8_H
#define NFTRACE_NATIVE_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The bytes of the character at @at, which is before @end; 0 if there is none, and
 * *@bad is then the bytes that one U+FFFD stands for: the longest beginning of a
 * valid character, at least one byte.
 */
size_t base_utf8_character(const char *at, const char *end, size_t *bad);

/*
 * The code unit of half a surrogate pair (see base/utf8_repair.h) at @at, which is
 * before @end; 0 if there is none.
 */
static inline unsigned int base_utf8_half(const char *at, const char *end)
{
	const unsigned char *byte = (const unsigned char *)at;

	if (byte[0] != 0xed || end - at < 3 || byte[1] < 0xa0)
		return 0;
	return 0xd000U | (byte[1] & 0x3fU) << 6 | (byte[2] & 0x3fU);
}

/*
 * The bytes from @at on, at most to @end, that are valid UTF-8 with neither a
 * quote, a backslash nor an unseen character.
 */
size_t base_utf8_plain(const char *at, const char *end);

/*
 * The bytes of the unseen character at @at, which is before @end, and its code
 * point in *@code; 0 if there is none.
 */
size_t base_utf8_unseen(const char *at, const char *end, uint32_t *code);

#endif /* NFTRACE_NATIVE_BASE_UTF8_H */
