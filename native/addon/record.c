// SPDX-License-Identifier: MIT
/* Takes records over from JavaScript; see record.h. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "instance.h"
#include "strings.h"

_Static_assert(NFT_BUNYAN_NR_FIELDS == 7,
	       "addon_record() and addon_record_as_is() fill in each field");

/* More than lib/record/identity.js gives out. */
#define MAX_SLOTS 4096

/* The range of JavaScript's Date. ms */
#define MAX_TIME 8.64e15

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
static bool copy_names(napi_env env, napi_value name, napi_value hostname,
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
	if (!copy_names(env, arguments[1], arguments[2], &identity) ||
	    !set_identity(instance, slot, &identity)) {
		free(identity.strings);
		addon_throw_failed(env, "identify: two strings were expected, "
					"or no memory");
	}
	return NULL;
}

static napi_value refused(napi_env env)
{
	napi_value value;

	ADDON_CHECK(env, napi_get_boolean(env, false, &value));
	return value;
}

/* Whether a CTF string carries a message as it was in JavaScript. */
static bool is_exact(const struct nft_string *msg)
{
	return !memchr(msg->data, '\0', msg->size) &&
	       addon_is_exact(msg->data, msg->size);
}

/* Fills in who logs. Returns whether @slot is one that was filled. */
static bool identify(const struct addon_instance *instance, uint32_t slot,
		     struct nft_bunyan_record *event)
{
	const struct addon_identity *identity;

	if (slot >= instance->nr_identities)
		return false;
	identity = &instance->identities[slot];
	event->name = identity->name;
	event->hostname = identity->hostname;
	event->pid = identity->pid;
	return true;
}

napi_value addon_head(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 1;
	napi_value numbers;
	struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, &numbers);
	napi_typedarray_type type;
	napi_ref ref;
	size_t size;
	void *head;

	if (!instance)
		return NULL;
	ADDON_CHECK(env, napi_get_typedarray_info(env, numbers, &type, &size,
						  &head, NULL, NULL));
	if (type != napi_float64_array || size < ADDON_HEAD_SIZE) {
		addon_throw_failed(env, "head: a Float64Array was expected");
		return NULL;
	}
	ADDON_CHECK(env, napi_create_reference(env, numbers, 1, &ref));
	if (instance->head_ref)
		ADDON_CHECK(env,
			    napi_delete_reference(env, instance->head_ref));
	instance->head_ref = ref;
	instance->head = head;
	return NULL;
}

napi_value addon_memory(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 1;
	napi_value bytes, handle;
	const struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, &bytes);

	if (!instance)
		return NULL;
	ADDON_CHECK(env,
		    napi_create_double(
			    env,
			    addon_memories_add(instance->memories, env, bytes),
			    &handle));
	return handle;
}

/*
 * A number of the head as an integer within bounds. Returns false if it isn't one:
 * a cast would be undefined.
 */
static bool to_integer(double number, double least, double most,
		       int64_t *integer)
{
	if (!(number >= least && number <= most))
		return false;
	*integer = (int64_t)number;
	return true;
}

/* The head's numbers, and the memory that they are about. */
struct head {
	const char *bytes; /* weak */
	int64_t slot;
	int64_t level;
	int64_t time;
	int64_t limit;
	int64_t fields_end;
	int64_t msg_end;
	int64_t called;
};

/* Returns whether the head holds a record's numbers. */
static bool read_head(const struct addon_instance *instance, struct head *head)
{
	const double *numbers = instance->head;
	size_t size;

	head->bytes = addon_memories_get(instance->memories,
					 numbers[ADDON_HEAD_HANDLE], &size);
	return head->bytes &&
	       to_integer(numbers[ADDON_HEAD_SLOT], 0, MAX_SLOTS - 1,
			  &head->slot) &&
	       to_integer(numbers[ADDON_HEAD_LEVEL], INT32_MIN, INT32_MAX,
			  &head->level) &&
	       to_integer(numbers[ADDON_HEAD_TIME], -MAX_TIME, MAX_TIME,
			  &head->time) &&
	       to_integer(numbers[ADDON_HEAD_LIMIT], 0, UINT32_MAX,
			  &head->limit) &&
	       to_integer(numbers[ADDON_HEAD_MSG_END], 0, (double)size - 1,
			  &head->msg_end) &&
	       to_integer(numbers[ADDON_HEAD_FIELDS_END], 0, (double)size - 1,
			  &head->fields_end) &&
	       to_integer(numbers[ADDON_HEAD_CALLED], INT32_MIN, INT32_MAX,
			  &head->called);
}

/*
 * The message and the fields, each with a NUL, from the memory and from @strings
 * that stand apart, which go to the scratch memory. Strings larger than the limit
 * have their size and need not be there. *@exact becomes false if a string may have
 * lost something on the way. Returns false after throwing.
 */
static bool read_texts(napi_env env, struct addon_instance *instance,
		       const napi_value *strings, size_t nr_strings,
		       const struct head *head, struct nft_bunyan_record *event,
		       bool *exact)
{
	size_t fields_end = (size_t)head->fields_end;
	size_t msg_end = (size_t)head->msg_end;
	size_t limit = (size_t)head->limit;
	bool msg_apart = msg_end == 0 && nr_strings > 0;
	size_t used = 0; /* of the scratch memory */

	if (!msg_apart && msg_end <= fields_end) {
		addon_throw_failed(env, "record: no record in the memory");
		return false;
	}
	event->fields = (struct nft_string){ head->bytes, fields_end };
	event->msg = (struct nft_string){ head->bytes + fields_end + 1,
					  msg_end - fields_end - 1 };
	if (msg_apart) {
		event->msg.size =
			addon_copy_string(env, instance, *strings++, 0, limit);
		if (event->msg.size == ADDON_FAILED)
			return false;
		nr_strings--;
		if (event->msg.size <= limit)
			used = event->msg.size + 1;
	}
	if (nr_strings > 0) {
		event->fields.size = addon_join(env, instance, event->fields,
						strings, nr_strings, used,
						limit, exact);
		if (event->fields.size == ADDON_FAILED)
			return false;
		event->fields.data = instance->scratch + used;
	}
	if (msg_apart) {
		event->msg.data = instance->scratch;
		if (event->msg.size <= limit && !is_exact(&event->msg))
			*exact = false;
	}
	return true;
}

napi_value addon_record(napi_env env, napi_callback_info info)
{
	size_t nr_strings = ADDON_MAX_STRINGS;
	napi_value strings[ADDON_MAX_STRINGS];
	struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_strings, strings);
	struct nft_bunyan_record event;
	struct head head;
	bool exact = true;

	if (!instance || !instance->bunyan)
		return NULL;
	if (!instance->head || nr_strings > ADDON_MAX_STRINGS) {
		addon_throw_failed(env, "record: no head, or too many strings");
		return NULL;
	}
	if (!read_head(instance, &head) ||
	    !identify(instance, (uint32_t)head.slot, &event))
		return refused(env);
	event.level = (int32_t)head.level;
	event.time = head.time;
	if (!read_texts(env, instance, strings, nr_strings, &head, &event,
			&exact))
		return NULL;
	if (!exact || nft_bunyan_payload_bytes(&event) > (size_t)head.limit)
		return refused(env);
	nft_bunyan_fire_as(instance->bunyan, (int32_t)head.called, &event);
	return NULL;
}

napi_value addon_record_as_is(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 7;
	napi_value arguments[7];
	struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, arguments);
	struct nft_bunyan_record event;
	uint32_t slot, limit;
	int32_t called;
	double time;

	if (!instance || !instance->bunyan)
		return NULL;
	ADDON_CHECK(env, napi_get_value_uint32(env, arguments[0], &slot));
	ADDON_CHECK(env, napi_get_value_int32(env, arguments[1], &event.level));
	ADDON_CHECK(env, napi_get_value_double(env, arguments[2], &time));
	ADDON_CHECK(env, napi_get_value_uint32(env, arguments[3], &limit));
	ADDON_CHECK(env, napi_get_value_int32(env, arguments[6], &called));
	if (!identify(instance, slot, &event) ||
	    !to_integer(time, -MAX_TIME, MAX_TIME, &event.time)) {
		addon_throw_failed(env, "recordAsIs: no identity in that slot, "
					"or no time");
		return NULL;
	}
	event.msg.size =
		addon_copy_string(env, instance, arguments[4], 0, limit);
	if (event.msg.size == ADDON_FAILED)
		return NULL;
	if (event.msg.size > limit)
		return refused(env);
	event.fields.size = addon_copy_string(env, instance, arguments[5],
					      event.msg.size + 1, limit);
	if (event.fields.size == ADDON_FAILED)
		return NULL;
	event.fields.data = instance->scratch + event.msg.size + 1;
	event.msg.data = instance->scratch;
	if (nft_bunyan_payload_bytes(&event) > limit)
		return refused(env);
	nft_bunyan_fire_as(instance->bunyan, called, &event);
	return NULL;
}
