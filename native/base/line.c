// SPDX-License-Identifier: MIT
/* Parts of a Bunyan line; see base/line.h. */
#include "base/line.h"

#include <string.h>

void base_line_identity(struct base_text *text, const char *name,
			size_t name_size, const char *hostname, int64_t pid)
{
	base_line_key(text, "{", name);
	base_text_string(text, name, name_size);
	base_line_key(text, ",", hostname);
	base_text_string(text, hostname, strlen(hostname));
	base_line_key(text, ",", pid);
	base_text_integer(text, pid);
}

void base_line_begin(struct base_text *text, const char *name, size_t name_size,
		     const char *hostname, int64_t pid,
		     enum nft_bunyan_number level)
{
	base_line_identity(text, name, name_size, hostname, pid);
	base_line_key(text, ",", level);
	base_text_integer(text, level);
}

void base_line_end(struct base_text *text, struct base_time *time, int64_t ms)
{
	base_line_key(text, ",", time);
	base_time_append(time, text, ms);
	base_text_literal(text, ",\"v\":0}\n");
}
