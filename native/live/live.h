/* SPDX-License-Identifier: MIT */
/*
 * What `nftrace tail` follows if it isn't told: a live session of its own, which
 * sends to a relay daemon of its own. That is in a network namespace, in which
 * only this process, which reads from it, is as well; what the session daemon
 * sends there goes through a gate.
 */
#ifndef NFTRACE_NATIVE_LIVE_LIVE_H
#define NFTRACE_NATIVE_LIVE_LIVE_H

#include <stdbool.h>

#include "session/mark.h"
#include "session/session.h"
#include "live/gate.h"
#include "live/keeper.h"
#include "live/relayd.h"
#include "live/session.h"

/* Zeroed: there is none. */
struct live {
	bool is_open;
	bool has_ports; /* gate was opened */
	struct live_plan plan;
	struct session_leftover leftover;
	struct session_mark mark;
	struct live_gate gate;
	struct live_keeper keeper;
	struct live_relayd relayd;
};

/*
 * Starts all of it, to record @events. Moves this process, which has one thread,
 * into the network namespace, and starts a thread. Returns the live session's
 * URL, which the caller frees; NULL after saying why. Either way the caller
 * calls live_close().
 */
char *live_open(struct live *own, const struct session_plan *events);

/* Whether the relay daemon runs. */
bool live_runs(struct live *own);

/* Destroys the session. What it has recorded can be read up to its end. */
void live_stop(struct live *own);

/*
 * Ends everything, and removes the traces. Returns 0, or a negative errno if
 * something is left, after saying what.
 */
int live_close(struct live *own);

#endif /* NFTRACE_NATIVE_LIVE_LIVE_H */
