/* SPDX-License-Identifier: MIT */
/*
 * The gate between a session daemon and a relay daemon in a network namespace of
 * its own: TCP ports of the loopback interface outside, from which connections
 * of the session daemon's user are forwarded to the relay daemon. Nobody else
 * gets through.
 */
#ifndef NFTRACE_NATIVE_LIVE_GATE_H
#define NFTRACE_NATIVE_LIVE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <uv.h>

#include "live/forward.h"

enum {
	LIVE_GATE_CONTROL,
	LIVE_GATE_DATA,
	LIVE_GATE_NR_DOORS,
};

/* One of the ports. */
struct live_gate_door {
	struct live_gate *gate; /* weak */
	int fd;
	uint16_t port;	/* outside */
	uint16_t inner; /* the relay daemon's, inside */
	uv_poll_t poll;
};

struct live_gate {
	struct live_gate_door doors[LIVE_GATE_NR_DOORS];
	/* The rest is live/gate.c's own. */
	int asker;	  /* see live/peer.h */
	uid_t users[2];	  /* who is let in */
	bool is_running;  /* the thread; what follows is its own */
	bool has_refused; /* and said so */
	uv_thread_t thread;
	uv_loop_t loop;
	uv_async_t stop;
	struct live_forwards forwards;
};

/*
 * Opens the ports, in the network namespace of the session daemon. From here on
 * they are this process's; who connects waits for live_gate_start(). Returns
 * 0, or a negative errno after saying why.
 */
int live_gate_open(struct live_gate *gate);

/*
 * Starts a thread that forwards connections, in the network namespace that this
 * thread has entered meanwhile, to the ports @control and @data there. Returns
 * 0, or a negative errno after saying why.
 */
int live_gate_start(struct live_gate *gate, uint16_t control, uint16_t data);

/*
 * Ends the thread with all connections, if it runs, and closes the ports; also
 * in another process that has inherited them.
 */
void live_gate_close(struct live_gate *gate);

#endif /* NFTRACE_NATIVE_LIVE_GATE_H */
