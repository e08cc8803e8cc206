/* SPDX-License-Identifier: MIT */
/* Strings as JSON text (RFC 8259, section 7), byte-equal to JSON.stringify(). */
#ifndef NFTRACE_NATIVE_ADDON_ESCAPE_H
#define NFTRACE_NATIVE_ADDON_ESCAPE_H

#include <stddef.h>

/* Bytes that @size bytes of UTF-8 take inside a JSON string. */
size_t addon_escaped_size(const char *string, size_t size);

/*
 * Escapes @size bytes of UTF-8 where they stand, to @escaped_size bytes, which
 * addon_escaped_size() gave; @string has room for them.
 */
void addon_escape(char *string, size_t size, size_t escaped_size);

#endif /* NFTRACE_NATIVE_ADDON_ESCAPE_H */
