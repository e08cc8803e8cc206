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

/* The most strings of a record that may stand apart from its fields. */
#define ADDON_MAX_STRINGS 16

/* The numbers of a record. */
enum addon_head {
	ADDON_HEAD_HANDLE, /* of the memory that its bytes are in */
	ADDON_HEAD_SLOT,   /* filled before */
	ADDON_HEAD_LEVEL,  /* an int32 */
	ADDON_HEAD_TIME,   /* milliseconds since the Unix epoch */
	ADDON_HEAD_LIMIT,  /* the most bytes that the payload may take */
	/*
	 * Where the strings' NULs are in the bytes: the fields' JSON object is
	 * the first string, the message comes next. 0: it stands apart.
	 */
	ADDON_HEAD_FIELDS_END,
	ADDON_HEAD_MSG_END,
	ADDON_HEAD_CALLED, /* the level of the call, whose event it is; a number */
	ADDON_HEAD_SIZE,
};

/*
 * head(numbers)
 *
 * Says where record() finds a record's numbers: a Float64Array of ADDON_HEAD_SIZE.
 */
napi_value addon_head(napi_env env, napi_callback_info info);

/*
 * memory(bytes)
 *
 * Makes a Uint8Array known, in which records can be written, and returns its handle;
 * 0 if there are too many already. See memory.h.
 */
napi_value addon_memory(napi_env env, napi_callback_info info);

/*
 * record([string…])
 *
 * Records one event with the numbers in the head and the bytes in the memory that
 * they name. The strings are first the message, if it stands apart, then those that
 * the fields have places for; see strings.h.
 *
 * Returns undefined when it is recorded in each session that wants it, and false
 * when nothing was: the memory is unknown, the payload would be larger than the
 * limit, the message may hold a NUL or half of a surrogate pair, which a CTF string
 * can't carry, or another string half of a pair.
 */
napi_value addon_record(napi_env env, napi_callback_info info);

/*
 * recordAsIs(slot, level, time, limit, msg, fields, called)
 *
 * As record(), but takes any message, which ends at a NUL, and the fields as a
 * complete JSON text.
 */
napi_value addon_record_as_is(napi_env env, napi_callback_info info);

#endif /* NFTRACE_NATIVE_ADDON_RECORD_H */
