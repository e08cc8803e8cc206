/* SPDX-License-Identifier: MIT */
/* The live session of a `nftrace tail` that isn't given one. */
#ifndef NFTRACE_NATIVE_LIVE_SESSION_H
#define NFTRACE_NATIVE_LIVE_SESSION_H

#include <stdint.h>

#include "session/mark.h"
#include "session/session.h"

/* What is to be, and where it sends to. */
struct live_plan {
	char name[64];
	uint16_t control_port; /* of 127.0.0.1 */
	uint16_t data_port;
	const struct session_plan *events; /* weak */
};

/*
 * Creates the session and starts it; notes it in @leftover and @mark. Returns
 * 0, or a negative errno after saying why; there may be a session in @leftover all
 * the same.
 */
int live_session_start(const struct live_plan *plan,
		       struct session_leftover *leftover,
		       const struct session_mark *mark);

/*
 * Destroys it, if it is still there, and waits until that is done. Returns 0,
 * or a negative errno after saying why it can't.
 */
int live_session_end(const struct session_leftover *leftover);

#endif /* NFTRACE_NATIVE_LIVE_SESSION_H */
