// SPDX-License-Identifier: MIT
/* Takes records over from JavaScript; see record.h. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "instance.h"

#define NOT_EXACT (-1)

/*
 * The payload's numbers, the NULs of its four strings, and the spaces for three
 * empty ones. Bytes.
 */
#define FIXED_PAYLOAD (2 * sizeof(int32_t) + sizeof(int64_t) + 7 * sizeof(char))

/* V8 writes whole characters only, so it may leave so many bytes unused. */
#define LONGEST_CHARACTER 4

/* More than lib/identity.js gives out. */
#define MAX_SLOTS 4096

static const struct nft_string no_fields = { "{}", 2 };

/*
 * Fills @slot, and takes identity->strings over. Returns whether there was
 * memory, and such a slot; if not, it is as before.
 */
static bool set_identity(struct addon_instance *instance, uint32_t slot,
			 const struct addon_identity *identity)
{
	struct addon_identity *grown;

	if (slot >= MAX_SLOTS)
		return false;
	if (slot >= instance->nr_identities) {
		grown = realloc(instance->identities,
				(slot + (size_t)1) * sizeof(*grown));
		if (!grown)
			return false;
		memset(grown + instance->nr_identities, 0,
		       (slot + 1 - instance->nr_identities) * sizeof(*grown));
		instance->identities = grown;
		instance->nr_identities = slot + (size_t)1;
	}
	free(instance->identities[slot].strings);
	instance->identities[slot] = *identity;
	return true;
}

/*
 * Copies two JavaScript strings to identity->strings, which is then the
 * caller's to free. Returns whether they were strings and there was memory.
 */
static bool take_names(napi_env env, napi_value name, napi_value hostname,
		       struct addon_identity *identity)
{
	size_t name_size, hostname_size;
	char *strings;

	if (napi_get_value_string_utf8(env, name, NULL, 0, &name_size) ||
	    napi_get_value_string_utf8(env, hostname, NULL, 0, &hostname_size))
		return false;
	strings = malloc(name_size + hostname_size + 2);
	if (!strings)
		return false;
	if (napi_get_value_string_utf8(env, name, strings, name_size + 1,
				       &name_size) ||
	    napi_get_value_string_utf8(env, hostname, strings + name_size + 1,
				       hostname_size + 1, &hostname_size)) {
		free(strings);
		return false;
	}
	identity->strings = strings;
	identity->name = (struct nft_string){ strings, name_size };
	identity->hostname =
		(struct nft_string){ strings + name_size + 1, hostname_size };
	return true;
}

napi_value addon_identify(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 4;
	napi_value arguments[4];
	struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, arguments);
	struct addon_identity identity = { 0 };
	uint32_t slot;

	if (!instance)
		return NULL;
	ADDON_CHECK(env, napi_get_value_uint32(env, arguments[0], &slot));
	ADDON_CHECK(env,
		    napi_get_value_int32(env, arguments[3], &identity.pid));
	if (!take_names(env, arguments[1], arguments[2], &identity) ||
	    !set_identity(instance, slot, &identity)) {
		free(identity.strings);
		addon_throw_failed(env, "identify: two strings were expected, "
					"or no memory");
	}
	return NULL;
}

/*
 * Copies a JavaScript string, with its NUL, to instance->scratch from @offset
 * on. Returns its size in bytes; when that is more than @limit nothing need
 * have been copied. Returns SIZE_MAX after throwing.
 */
static size_t take_string(napi_env env, struct addon_instance *instance,
			  napi_value value, size_t offset, size_t limit)
{
	size_t room = instance->scratch_size - offset;
	size_t size;

	if (napi_get_value_string_utf8(env, value, instance->scratch + offset,
				       room, &size) != napi_ok)
		goto failed;
	if (size + LONGEST_CHARACTER < room)
		return size;
	/* It may have been cut. */
	if (napi_get_value_string_utf8(env, value, NULL, 0, &size) != napi_ok)
		goto failed;
	if (size > limit)
		return size;
	if (!addon_instance_reserve(
		    instance, offset + size + 1 + LONGEST_CHARACTER, offset))
		goto failed;
	if (napi_get_value_string_utf8(env, value, instance->scratch + offset,
				       size + 1, &size) == napi_ok)
		return size;
failed:
	addon_throw_failed(env, "record: a string was expected, or no memory");
	return SIZE_MAX;
}

/*
 * Whether a string came over from JavaScript as it was: V8 writes U+FFFD for
 * half of a surrogate pair, and a CTF string ends at a NUL. A true U+FFFD gives
 * a false alarm, which costs its sender some time.
 */
static bool is_exact(const char *string, size_t size)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const char *end = string + size;

	if (memchr(string, '\0', size))
		return false;
	while ((string = memchr(string, replacement[0],
				(size_t)(end - string)))) {
		if (end - string >= 3 && !memcmp(string, replacement, 3))
			return false;
		string++;
	}
	return true;
}

static napi_value number(napi_env env, double value)
{
	napi_value result;

	ADDON_CHECK(env, napi_create_double(env, value, &result));
	return result;
}

static napi_value record(napi_env env, napi_callback_info info, bool as_is)
{
	size_t nr_arguments = 6;
	napi_value arguments[6];
	struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, arguments);
	const struct addon_identity *identity;
	struct nft_bunyan_record event = { .fields = no_fields };
	uint32_t slot, limit;
	size_t size;

	if (!instance || !instance->bunyan)
		return NULL;
	ADDON_CHECK(env, napi_get_value_uint32(env, arguments[0], &slot));
	ADDON_CHECK(env, napi_get_value_int32(env, arguments[1], &event.level));
	ADDON_CHECK(env, napi_get_value_int64(env, arguments[2], &event.time));
	ADDON_CHECK(env, napi_get_value_uint32(env, arguments[3], &limit));
	if (slot >= instance->nr_identities) {
		addon_throw_failed(env, "record: no identity in that slot");
		return NULL;
	}
	identity = &instance->identities[slot];
	event.name = identity->name;
	event.hostname = identity->hostname;
	event.pid = identity->pid;

	event.msg.size = take_string(env, instance, arguments[4], 0, limit);
	if (event.msg.size == SIZE_MAX)
		return NULL;
	if (nr_arguments == 6) {
		/* Room for it is looked for only if msg itself was copied. */
		size_t offset = event.msg.size > limit ? 0 : event.msg.size + 1;

		event.fields.size =
			take_string(env, instance, arguments[5], offset, limit);
		if (event.fields.size == SIZE_MAX)
			return NULL;
		event.fields.data = instance->scratch + offset;
	}
	size = FIXED_PAYLOAD + event.name.size + event.hostname.size +
	       event.msg.size + event.fields.size;
	if (size > limit)
		return number(env, (double)size);
	event.msg.data = instance->scratch;
	if (!as_is && !is_exact(event.msg.data, event.msg.size))
		return number(env, NOT_EXACT);
	nft_bunyan_fire(instance->bunyan, &event);
	return NULL;
}

napi_value addon_record(napi_env env, napi_callback_info info)
{
	return record(env, info, false);
}

napi_value addon_record_as_is(napi_env env, napi_callback_info info)
{
	return record(env, info, true);
}
