/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 as JavaScript has it: bytes that aren't UTF-8 read as U+FFFD, and half
 * a surrogate pair, which JSON can write as \udXXX, is held as the three bytes
 * that UTF-8 would give it if it could ("WTF-8").
 */
#ifndef NFTRACE_NATIVE_BASE_UTF8_REPAIR_H
#define NFTRACE_NATIVE_BASE_UTF8_REPAIR_H

#include <stdbool.h>

#include "base/text.h"

/* The value of a hexadecimal digit; -1: it is none. */
int base_hex_digit(char digit);

/* Whether all of a text is UTF-8. */
bool base_utf8_is_valid(struct base_slice text);

/*
 * Adds a text to @out with U+FFFD for each sequence that isn't UTF-8, where
 * TextDecoder puts one.
 */
void base_utf8_repair(struct base_text *out, struct base_slice text);

/* Whether JSON text, valid UTF-8, has an escape that may be half of a pair. */
bool base_utf8_has_surrogates(struct base_slice json);

/*
 * Adds JSON text to @out with the escape of each half of a surrogate pair that
 * has no other half as its three bytes.
 */
void base_utf8_keep_halves(struct base_text *out, struct base_slice json);

/*
 * Whether a text comes through a NUL-terminated UTF-8 string unharmed: it is
 * not empty and has no NUL and no half of a surrogate pair.
 */
bool base_utf8_is_exact(struct base_slice text);

/* Replaces, in place, each half of a surrogate pair by U+FFFD. */
void base_utf8_replace_halves(char *data, size_t size);

#endif /* NFTRACE_NATIVE_BASE_UTF8_REPAIR_H */
