/* SPDX-License-Identifier: MIT */
/* The live session of a `nftrace tail` that isn't given one. */
#ifndef NFTRACE_NATIVE_CLI_TAIL_SESSION_H
#define NFTRACE_NATIVE_CLI_TAIL_SESSION_H

#include <stdbool.h>

#include "control_session.h"
#include "tail_relayd.h"

struct cli_tail_session {
	char name[64]; /* "": there is none */
};

/*
 * Destroys sessions whose `nftrace tail` was killed; creates one that sends to
 * @relayd and records by @plan, and starts it. Returns false after printing
 * why.
 */
bool cli_tail_session_start(struct cli_tail_session *session,
			    const struct cli_plan *plan,
			    const struct cli_relayd *relayd);

/* Destroys it. */
void cli_tail_session_end(struct cli_tail_session *session);

#endif /* NFTRACE_NATIVE_CLI_TAIL_SESSION_H */
