/* SPDX-License-Identifier: MIT */
/* Which bytes may stand in a JSON string, and on a terminal, as they are. */
#ifndef NFTRACE_NATIVE_CLI_READER_UTF8_H
#define NFTRACE_NATIVE_CLI_READER_UTF8_H

#include <stddef.h>

/* Bytes of an escape \uXXXX. */
#define READER_UTF8_ESCAPE 6

/*
 * The bytes from @at on, at most to @end, that are valid UTF-8 with neither a
 * quote, a backslash, a C0 or C1 control nor DEL.
 */
size_t reader_utf8_plain(const char *at, const char *end);

/*
 * Writes the escape for a control character at @at, which is before @end.
 * Returns the character's bytes; 0, and writes nothing, if there is none.
 */
size_t reader_utf8_escape(const char *at, const char *end,
			  char escape[READER_UTF8_ESCAPE]);

#endif /* NFTRACE_NATIVE_CLI_READER_UTF8_H */
