/* SPDX-License-Identifier: MIT */
/* Takes strings over from JavaScript into an instance's scratch memory. */
#ifndef NFTRACE_NATIVE_ADDON_STRINGS_H
#define NFTRACE_NATIVE_ADDON_STRINGS_H

#include <node_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "instance.h"

/* Returned after throwing. */
#define ADDON_FAILED SIZE_MAX

/*
 * In the text of fields, a control character, which JSON has none of, says that
 * the next of the strings that stand apart belongs there, and the one after it
 * how.
 */
#define ADDON_APART	 '\x01'
#define ADDON_APART_JSON '\x02' /* after it: as it is; else escaped */

/*
 * Copies a JavaScript string, with its NUL, to instance->scratch from @offset
 * on. Returns its size in bytes; when that is more than @limit nothing need
 * have been copied. Returns ADDON_FAILED after throwing.
 */
size_t addon_copy_string(napi_env env, struct addon_instance *instance,
			 napi_value value, size_t offset, size_t limit);

/*
 * Copies @text, a JSON object, to instance->scratch from @offset on, with a NUL,
 * and with @nr_strings @strings in the places that it has for them. Returns the
 * object's size in bytes; when that is more than @limit it is not all there.
 * *@exact becomes false if a string that was escaped may have held half of a
 * surrogate pair. Returns ADDON_FAILED after throwing.
 */
size_t addon_join(napi_env env, struct addon_instance *instance,
		  struct nft_string text, const napi_value *strings,
		  size_t nr_strings, size_t offset, size_t limit, bool *exact);

/*
 * Whether a string came over from JavaScript as it was: V8 writes U+FFFD for
 * half of a surrogate pair. A true U+FFFD gives a false alarm, which costs its
 * sender some time.
 */
bool addon_is_exact(const char *string, size_t size);

#endif /* NFTRACE_NATIVE_ADDON_STRINGS_H */
