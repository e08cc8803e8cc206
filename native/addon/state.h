/* SPDX-License-Identifier: MIT */
/* Shows JavaScript which levels some tracing session wants. */
#ifndef NFTRACE_NATIVE_ADDON_STATE_H
#define NFTRACE_NATIVE_ADDON_STATE_H

#include <node_api.h>

/*
 * words(): the events' state words, in the order of nft_contract.h, as ArrayBuffers of 4
 * bytes each over LTTng-UST's own memory. null where the runtime forbids
 * memory that it did not allocate (Electron does), or without LTTng.
 */
napi_value addon_words(napi_env env, napi_callback_info info);

/* state(index): one such word's value. */
napi_value addon_state(napi_env env, napi_callback_info info);

#endif /* NFTRACE_NATIVE_ADDON_STATE_H */
