// SPDX-License-Identifier: MIT
/* The events' state words; see state.h. */
#include "state.h"

#include "check.h"
#include "instance.h"

/* The words live as long as the process. */
static void never_free(napi_env env, void *data, void *hint)
{
	(void)env;
	(void)data;
	(void)hint;
}

napi_value addon_words(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 0;
	const struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, NULL);
	napi_value words;

	if (!instance)
		return NULL;
	ADDON_CHECK(env, napi_get_null(env, &words));
	if (!instance->bunyan)
		return words;
	for (uint32_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		const int *state = nft_event_state(instance->bunyan->events[i]);
		napi_value word;
		/* JavaScript only reads it; Node-API has no const buffers. */
		napi_status status = napi_create_external_arraybuffer(
			env, (void *)state, sizeof(*state), never_free, NULL,
			&word);

		if (status == napi_no_external_buffers_allowed)
			return words;
		ADDON_CHECK(env, status);
		if (i == 0)
			ADDON_CHECK(env, napi_create_array(env, &words));
		ADDON_CHECK(env, napi_set_element(env, words, i, word));
	}
	return words;
}

napi_value addon_state(napi_env env, napi_callback_info info)
{
	size_t nr_arguments = 1;
	napi_value argument, state;
	const struct addon_instance *instance =
		addon_instance_enter(env, info, &nr_arguments, &argument);
	uint32_t index;

	if (!instance)
		return NULL;
	ADDON_CHECK(env, napi_get_value_uint32(env, argument, &index));
	ADDON_CHECK(
		env,
		napi_create_int32(
			env,
			instance->bunyan && index < NFT_BUNYAN_NR_LEVELS &&
				nft_enabled(instance->bunyan->events[index]),
			&state));
	return state;
}
