// SPDX-License-Identifier: MIT
/*
 * libFuzzer's target for the addon's escaping: the same bytes as character by
 * character, in a place that is just large enough.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../native/addon/escape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* RFC 8259, section 7, with the short escapes that JSON.stringify() uses. */
static size_t escape_slowly(char *to, const uint8_t *data, size_t size)
{
	static const char with_short[] = "\b\t\n\f\r\"\\";
	static const char shorts[] = "btnfr\"\\";
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		const char *found = data[i] ? strchr(with_short, data[i])
					    : NULL;

		if (found) {
			to[used++] = '\\';
			to[used++] = shorts[found - with_short];
		} else if (data[i] < 0x20) {
			used += (size_t)snprintf(to + used, 7, "\\u%04x",
						 data[i]);
		} else {
			to[used++] = (char)data[i];
		}
	}
	return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *expected = malloc(6 * size + 1);
	size_t expected_size, escaped_size;
	char *escaped;

	if (!expected)
		abort();
	expected_size = escape_slowly(expected, data, size);
	escaped_size = addon_escaped_size((const char *)data, size);
	if (escaped_size != expected_size)
		abort();
	/* malloc(0) may give NULL. */
	escaped = malloc(escaped_size + !escaped_size);
	if (!escaped)
		abort();
	if (size)
		memcpy(escaped, data, size);
	addon_escape(escaped, size, escaped_size);
	if (memcmp(escaped, expected, expected_size) != 0)
		abort();
	free(escaped);
	free(expected);
	return 0;
}
