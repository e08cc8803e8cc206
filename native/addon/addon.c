// SPDX-License-Identifier: MIT
/*
 * The Node-API addon: hands Bunyan records to the `bunyan` provider and shows
 * which levels are wanted. Its arguments are checked by lib/, which is its only
 * caller.
 */
#include <node_api.h>
#include <stdio.h>
#include <string.h>

#include "../../provider/nft_bunyan.h"
#include "check.h"
#include "instance.h"
#include "record.h"
#include "state.h"

/* exports.contract: the tables, as contractText() in lib/record/contract.js. */
#define LEVEL(UPPER, name, number, LOGLEVEL) \
	"level " #name " " #number " " #LOGLEVEL "\n"
#define NUMBER(UPPER, name, TYPE, ctype) "field " #name " " #TYPE "\n"
#define STRING(UPPER, name)		 "field " #name " STRING\n"
#define OBJECT(UPPER, name)		 "field " #name " OBJECT\n"
/* clang-format off */
static const char contract[] =
	"version " NFT_BUNYAN_CONTRACT_VERSION "\n"
	"provider " NFT_BUNYAN_PROVIDER "\n"
	"truncated " NFT_BUNYAN_TRUNCATED "\n"
	"limits " NFT_BUNYAN_TEXT(NFT_BUNYAN_LIMIT_LEAST) " "
	NFT_BUNYAN_TEXT(NFT_BUNYAN_LIMIT_DEFAULT) " "
	NFT_BUNYAN_TEXT(NFT_BUNYAN_LIMIT_MOST) "\n"
	NFT_BUNYAN_LEVELS(LEVEL)
	NFT_BUNYAN_FIELDS(NUMBER, STRING, OBJECT);
/* clang-format on */

#define METHOD(name, function)                                                 \
	{                                                                      \
		name, NULL, function, NULL, NULL, NULL, napi_default, instance \
	}

/* exports.unavailable: why nothing can be recorded, or null. */
static napi_value unavailable(napi_env env, int open_result)
{
	const char *reason = nft_unavailable();
	char message[128];
	napi_value value;

	if (!open_result) {
		ADDON_CHECK(env, napi_get_null(env, &value));
		return value;
	}
	if (!reason) {
		(void)snprintf(message, sizeof(message),
			       "the bunyan provider cannot be registered: %s",
			       strerror(-open_result));
		reason = message;
	}
	ADDON_CHECK(env, napi_create_string_utf8(env, reason, NAPI_AUTO_LENGTH,
						 &value));
	return value;
}

NAPI_MODULE_INIT(/* napi_env env, napi_value exports */)
{
	struct addon_instance *instance = addon_instance_create(env);
	const napi_property_descriptor methods[] = {
		METHOD("words", addon_words),
		METHOD("state", addon_state),
		METHOD("identify", addon_identify),
		METHOD("head", addon_head),
		METHOD("memory", addon_memory),
		METHOD("record", addon_record),
		METHOD("recordAsIs", addon_record_as_is),
	};
	napi_value reason, fixed_bytes, text;

	if (!instance)
		return NULL;
	reason = unavailable(env, nft_bunyan_open(&instance->bunyan));
	if (!reason)
		return NULL;
	ADDON_CHECK(env, napi_set_named_property(env, exports, "unavailable",
						 reason));
	ADDON_CHECK(env, napi_create_uint32(env, NFT_BUNYAN_FIXED_BYTES,
					    &fixed_bytes));
	ADDON_CHECK(env, napi_set_named_property(env, exports, "fixedBytes",
						 fixed_bytes));
	ADDON_CHECK(env, napi_create_string_utf8(env, contract,
						 sizeof(contract) - 1, &text));
	ADDON_CHECK(env,
		    napi_set_named_property(env, exports, "contract", text));
	ADDON_CHECK(env,
		    napi_define_properties(env, exports,
					   sizeof(methods) / sizeof(methods[0]),
					   methods));
	return exports;
}
