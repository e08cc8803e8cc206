/* SPDX-License-Identifier: MIT */
/*
 * Cuts JSON strings and walks over them. A decoded text is UTF-8 with JavaScript's
 * halves of surrogate pairs; see base/utf8_repair.h.
 */
#ifndef NFTRACE_NATIVE_PIPE_JSON_H
#define NFTRACE_NATIVE_PIPE_JSON_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Adds the longest beginning of a text, in whole characters, that takes with
 * the "…" after it at most @most bytes in JSON.
 * @escaped: whether @text is the inside of a JSON string or decoded.
 */
void pipe_json_cut(struct base_text *out, struct base_slice text, bool escaped,
		   size_t most);

/*
 * Finds the next string in JSON text without white space, from *@at on, which
 * is moved past it. Returns false when there is none. @inside: what is between
 * its quotes. @is_key: whether a colon follows.
 */
bool pipe_json_next_string(const char **at, const char *end,
			   struct base_slice *inside, bool *is_key);

#endif /* NFTRACE_NATIVE_PIPE_JSON_H */
