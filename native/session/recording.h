/* SPDX-License-Identifier: MIT */
/* Sessions of `nftrace record`, and those that were left open. */
#ifndef NFTRACE_NATIVE_SESSION_RECORDING_H
#define NFTRACE_NATIVE_SESSION_RECORDING_H

#include <lttng/constant.h>

#include "session/mark.h"

/* A name for a session of this process. */
void session_recording_name(char name[static LTTNG_NAME_MAX]);

/*
 * Says on stderr how to close each session of an `nftrace record` that was
 * killed.
 */
void session_recording_report(void);

/*
 * Marks @session, which was just created, as this process's. Once it is closed
 * the caller removes @mark; else it is reported from then on.
 */
void session_recording_mark(struct session_mark *mark, const char *session);

#endif /* NFTRACE_NATIVE_SESSION_RECORDING_H */
