/* SPDX-License-Identifier: MIT */
/* The live session of a `nftrace tail` that isn't given one. */
#ifndef NFTRACE_NATIVE_LIVE_SESSION_H
#define NFTRACE_NATIVE_LIVE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "session/mark.h"
#include "session/session.h"

/* What is to be, and where it sends to. */
struct cli_tail_plan {
	char name[64];
	uint16_t control_port; /* of 127.0.0.1 */
	uint16_t data_port;
	const struct cli_plan *events; /* weak */
};

/*
 * Creates the session and starts it; notes it in @leftover and @mark. Returns
 * false after printing why; there may be a session in @leftover all the same.
 */
bool cli_tail_session_start(const struct cli_tail_plan *plan,
			    struct cli_leftover *leftover,
			    const struct cli_mark *mark);

/*
 * Destroys it, if it is still there, and waits until that is done. Returns false
 * after printing why it can't.
 */
bool cli_tail_session_end(const struct cli_leftover *leftover);

#endif /* NFTRACE_NATIVE_LIVE_SESSION_H */
