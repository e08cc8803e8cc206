// SPDX-License-Identifier: MIT
/* Makes text fit for a terminal; see control_text.h. */
#include "control_text.h"

#include <stdbool.h>
#include <stdio.h>

#define ESCAPE_SIZE 4 /* \xHH */

/* U+0080 to U+009F: C2 80 to C2 9F. */
static bool is_c1(const unsigned char *byte)
{
	return byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0;
}

const char *cli_printable(char buffer[static CLI_TEXT_SIZE], const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t used = 0;

	for (; *byte && used + ESCAPE_SIZE < CLI_TEXT_SIZE; byte++) {
		bool c1 = is_c1(byte);

		if (c1)
			byte++;
		if (c1 || *byte < 0x20 || *byte == 0x7f) {
			(void)snprintf(buffer + used, CLI_TEXT_SIZE - used,
				       "\\x%02x", *byte);
			used += ESCAPE_SIZE;
		} else {
			buffer[used++] = (char)*byte;
		}
	}
	buffer[used] = '\0';
	return buffer;
}
