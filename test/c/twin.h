/* SPDX-License-Identifier: MIT */
/*
 * The bunyan provider as LTTng's own macros make it: what ours is held against.
 * LTTng includes this file several times over; see lttng-ust(3).
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bunyan

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "twin.h"

#if !defined(NFTRACE_TEST_C_TWIN_H) || \
	defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define NFTRACE_TEST_C_TWIN_H

#include <stdint.h>
#include <lttng/tracepoint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT_CLASS(bunyan, record,
	LTTNG_UST_TP_ARGS(
		int32_t, level_arg, int64_t, time_arg, const char *, name_arg,
		const char *, hostname_arg, int32_t, pid_arg,
		const char *, msg_arg, const char *, fields_arg
	),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int32_t, level, level_arg)
		lttng_ust_field_integer(int64_t, time, time_arg)
		lttng_ust_field_string(name, name_arg)
		lttng_ust_field_string(hostname, hostname_arg)
		lttng_ust_field_integer(int32_t, pid, pid_arg)
		lttng_ust_field_string(msg, msg_arg)
		lttng_ust_field_string(fields, fields_arg)
	)
)

#define TWIN(name, severity)                                                   \
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(bunyan, record, bunyan, name,              \
	LTTNG_UST_TP_ARGS(                                                     \
		int32_t, level_arg, int64_t, time_arg, const char *, name_arg, \
		const char *, hostname_arg, int32_t, pid_arg,                  \
		const char *, msg_arg, const char *, fields_arg                \
	))                                                                     \
LTTNG_UST_TRACEPOINT_LOGLEVEL(bunyan, name, severity)

TWIN(trace, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG)
TWIN(debug, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_SYSTEM)
TWIN(info, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)
TWIN(warn, LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING)
TWIN(error, LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR)
TWIN(fatal, LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT)
/* clang-format on */

#endif /* NFTRACE_TEST_C_TWIN_H */

#include <lttng/tracepoint-event.h>
