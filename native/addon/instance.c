// SPDX-License-Identifier: MIT
/* The per-environment state; see instance.h. */
#include "instance.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Holds almost every record; larger ones make it grow. Bytes. */
#define SCRATCH_SIZE 16384

void addon_throw_failed(napi_env env, const char *message)
{
	bool pending = false;

	if (napi_is_exception_pending(env, &pending) == napi_ok && !pending)
		(void)napi_throw_error(env, NULL, message);
}

static void destroy(napi_env env, void *data, void *hint)
{
	struct addon_instance *instance = data;

	(void)env;
	(void)hint;
	for (size_t i = 0; i < instance->nr_identities; i++)
		free(instance->identities[i].strings);
	free(instance->identities);
	addon_memories_release(instance->memories);
	free(instance->scratch);
	free(instance);
}

struct addon_instance *addon_instance_create(napi_env env)
{
	struct addon_instance *instance = calloc(1, sizeof(*instance));

	if (instance)
		instance->memories = addon_memories_create();
	if (!instance || !instance->memories ||
	    !addon_instance_reserve(instance, SCRATCH_SIZE, 0) ||
	    napi_set_instance_data(env, instance, destroy, NULL) != napi_ok) {
		if (instance)
			destroy(env, instance, NULL);
		addon_throw_failed(env, "out of memory");
		return NULL;
	}
	return instance;
}

struct addon_instance *addon_instance_enter(napi_env env,
					    napi_callback_info info,
					    size_t *nr_arguments,
					    napi_value *arguments)
{
	void *instance;

	ADDON_CHECK(env, napi_get_cb_info(env, info, nr_arguments, arguments,
					  NULL, &instance));
	return instance;
}

bool addon_instance_reserve(struct addon_instance *instance, size_t size,
			    size_t keep)
{
	char *scratch;

	if (size <= instance->scratch_size)
		return true;
	scratch = malloc(size);
	if (!scratch)
		return false;
	if (keep)
		memcpy(scratch, instance->scratch, keep);
	free(instance->scratch);
	instance->scratch = scratch;
	instance->scratch_size = size;
	return true;
}
