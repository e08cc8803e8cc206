/* SPDX-License-Identifier: MIT */
/*
 * The keeper: a process beside `nftrace tail` that has the live session made and
 * cleans up after it, even if tail is killed. It stays in the namespaces that
 * tail leaves: in a user namespace liblttng-ctl wouldn't see that the user is in
 * the group tracing.
 */
#ifndef NFTRACE_NATIVE_LIVE_KEEPER_H
#define NFTRACE_NATIVE_LIVE_KEEPER_H

#include <sys/types.h>

#include "live/gate.h"
#include "live/session.h"

/* Zeroed: there is none. */
struct live_keeper {
	pid_t pid;
	int fd; /* a socket to talk to it */
};

/*
 * Starts the keeper. From here on it removes the folder of @leftover, which has
 * no session yet, and @mark; the caller frees and closes its own copies. @gate
 * is what the keeper has to close. Returns 0, or a negative errno after saying why.
 */
int live_keeper_start(struct live_keeper *keeper, const struct live_plan *plan,
		      const struct session_leftover *leftover,
		      const struct session_mark *mark, struct live_gate *gate);

/* Has the session created and started. Returns 0, or -EIO; the keeper said why. */
int live_keeper_create(struct live_keeper *keeper);

/* Has the session destroyed, and waits for that. */
void live_keeper_destroy(struct live_keeper *keeper);

/*
 * Has the rest cleaned up, and waits for that: the folder, which nobody uses any
 * more, and the mark. Returns 0, or a negative errno if something is left; it said
 * what.
 */
int live_keeper_end(struct live_keeper *keeper);

#endif /* NFTRACE_NATIVE_LIVE_KEEPER_H */
