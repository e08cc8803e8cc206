// SPDX-License-Identifier: MIT
/* Takes strings over from JavaScript; see strings.h. */
#include "strings.h"

#include <string.h>

#include "check.h"
#include "escape.h"

/* V8 writes whole characters only, so it may leave so many bytes unused. */
#define LONGEST_CHARACTER 4

static size_t failed(napi_env env)
{
	addon_throw_failed(env, "record: a string was expected, or no memory");
	return ADDON_FAILED;
}

size_t addon_copy_string(napi_env env, struct addon_instance *instance,
			 napi_value value, size_t offset, size_t limit)
{
	size_t room, size;

	if (!addon_instance_reserve(instance, offset + 1, offset))
		return failed(env);
	room = instance->scratch_size - offset;
	if (napi_get_value_string_utf8(env, value, instance->scratch + offset,
				       room, &size) != napi_ok)
		return failed(env);
	if (size + LONGEST_CHARACTER < room)
		return size;
	/* It may have been cut. */
	if (napi_get_value_string_utf8(env, value, NULL, 0, &size) != napi_ok)
		return failed(env);
	if (size > limit)
		return size;
	if (!addon_instance_reserve(
		    instance, offset + size + 1 + LONGEST_CHARACTER, offset) ||
	    napi_get_value_string_utf8(env, value, instance->scratch + offset,
				       size + 1, &size) != napi_ok)
		return failed(env);
	return size;
}

/*
 * As addon_copy_string(), but escaped for JSON, without a NUL, and always
 * copied unless it is larger than @limit as it is.
 */
static size_t copy_escaped(napi_env env, struct addon_instance *instance,
			   napi_value value, size_t offset, size_t limit,
			   bool *exact)
{
	size_t size = addon_copy_string(env, instance, value, offset, limit);
	size_t escaped;

	if (size == ADDON_FAILED || size > limit)
		return size;
	if (!addon_is_exact(instance->scratch + offset, size))
		*exact = false;
	escaped = addon_escaped_size(instance->scratch + offset, size);
	if (!addon_instance_reserve(instance, offset + escaped, offset + size))
		return failed(env);
	addon_escape(instance->scratch + offset, size, escaped);
	return escaped;
}

static bool append(napi_env env, struct addon_instance *instance, size_t offset,
		   const char *bytes, size_t size)
{
	if (!addon_instance_reserve(instance, offset + size, offset)) {
		(void)failed(env);
		return false;
	}
	memcpy(instance->scratch + offset, bytes, size);
	return true;
}

size_t addon_join(napi_env env, struct addon_instance *instance,
		  struct nft_string text, const napi_value *strings,
		  size_t nr_strings, size_t offset, size_t limit, bool *exact)
{
	const char *from = text.data;
	const char *end = from + text.size;
	size_t used = 0;

	for (size_t i = 0; i < nr_strings && used <= limit; i++) {
		const char *place =
			memchr(from, ADDON_APART, (size_t)(end - from));
		size_t size;

		if (!place || end - place < 2)
			break;
		if (!append(env, instance, offset + used, from,
			    (size_t)(place - from)))
			return ADDON_FAILED;
		used += (size_t)(place - from);
		from = place + 2;
		size = place[1] == ADDON_APART_JSON
			       ? addon_copy_string(env, instance, strings[i],
						   offset + used, limit)
			       : copy_escaped(env, instance, strings[i],
					      offset + used, limit, exact);
		if (size == ADDON_FAILED)
			return ADDON_FAILED;
		used += size;
	}
	if (used > limit)
		return used;
	if (!append(env, instance, offset + used, from, (size_t)(end - from)) ||
	    !append(env, instance, offset + used + (size_t)(end - from), "", 1))
		return ADDON_FAILED;
	return used + (size_t)(end - from);
}

bool addon_is_exact(const char *string, size_t size)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const char *end = string + size;

	while ((string = memchr(string, replacement[0],
				(size_t)(end - string)))) {
		if (end - string >= 3 && !memcmp(string, replacement, 3))
			return false;
		string++;
	}
	return true;
}
