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
struct cli_own {
	bool is_open;
	bool has_ports; /* gate was opened */
	struct cli_tail_plan plan;
	struct cli_leftover leftover;
	struct cli_mark mark;
	struct cli_gate gate;
	struct cli_keeper keeper;
	struct cli_relayd relayd;
};

/*
 * Starts all of it, to record @events. Moves this process, which has one thread,
 * into the network namespace, and starts a thread. Returns the live session's
 * URL, which the caller frees; NULL after printing why. Either way the caller
 * calls cli_own_close().
 */
char *cli_own_open(struct cli_own *own, const struct cli_plan *events);

/* Whether the relay daemon runs. */
bool cli_own_runs(struct cli_own *own);

/* Destroys the session. What it has recorded can be read up to its end. */
void cli_own_stop(struct cli_own *own);

/*
 * Ends everything, and removes the traces. Returns false if something is left,
 * after printing what.
 */
bool cli_own_close(struct cli_own *own);

#endif /* NFTRACE_NATIVE_LIVE_LIVE_H */
