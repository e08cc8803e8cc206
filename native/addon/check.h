/* SPDX-License-Identifier: MIT */
/* One way to look at the status of a Node-API call. */
#ifndef NFTRACE_NATIVE_ADDON_CHECK_H
#define NFTRACE_NATIVE_ADDON_CHECK_H

#include <node_api.h>

#define ADDON_STRINGIFY_(x) #x
#define ADDON_STRINGIFY(x)  ADDON_STRINGIFY_(x)

/*
 * Evaluates a Node-API call; when it fails, throws an Error that says which
 * and where, unless an exception is on its way already, and returns NULL from
 * the calling function.
 */
#define ADDON_CHECK(env, call)                                             \
	do {                                                               \
		if ((call) != napi_ok) {                                   \
			addon_throw_failed(env, #call                      \
					   " failed at " __FILE__          \
					   ":" ADDON_STRINGIFY(__LINE__)); \
			return NULL;                                       \
		}                                                          \
	} while (0)

/* Throws an Error of @message if no exception is pending. */
void addon_throw_failed(napi_env env, const char *message);

#endif /* NFTRACE_NATIVE_ADDON_CHECK_H */
