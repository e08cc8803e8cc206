/* SPDX-License-Identifier: MIT */
/* The functions through which JavaScript hands records over. */
#ifndef NFTRACE_NATIVE_ADDON_RECORD_H
#define NFTRACE_NATIVE_ADDON_RECORD_H

#include <node_api.h>

/*
 * identify(slot, name, hostname, pid)
 *
 * Puts an identity into a slot for later calls of record(): non-negative
 * integer, two strings, int32. Slots are to be given out from 0 up, and may be
 * used anew.
 */
napi_value addon_identify(napi_env env, napi_callback_info info);

/*
 * record(slot, level, time, limit, msg[, fields])
 *
 * Records one event: a slot filled before, an int32 level, milliseconds since
 * the Unix epoch, the most bytes that the payload may take, and two strings;
 * without fields, the payload has {}. Returns
 *	undefined	it is recorded in each session that wants it,
 *	-1		nothing was: msg may hold a NUL or half of a surrogate
 *			pair, which a CTF string can't carry,
 *	above 0		nothing was: the payload takes so many bytes.
 */
napi_value addon_record(napi_env env, napi_callback_info info);

/* recordAsIs(…): as record(), but takes any msg, cut at a NUL. */
napi_value addon_record_as_is(napi_env env, napi_callback_info info);

#endif /* NFTRACE_NATIVE_ADDON_RECORD_H */
