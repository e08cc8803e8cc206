/* SPDX-License-Identifier: MIT */
/* A relay daemon of our own. */
#ifndef NFTRACE_NATIVE_LIVE_RELAYD_H
#define NFTRACE_NATIVE_LIVE_RELAYD_H

#include <stdbool.h>
#include <sys/types.h>

/* Its ports on 127.0.0.1: nobody else is in its network namespace. */
#define LIVE_RELAYD_CONTROL_PORT 5342
#define LIVE_RELAYD_DATA_PORT	 5343
#define LIVE_RELAYD_LIVE_PORT	 5344

/* Zeroed: not running. */
struct live_relayd {
	pid_t pid;
};

/*
 * Starts lttng-relayd in the network namespace of this thread, with its traces
 * in @folder, and waits until it answers. It isn't in this process's group, so
 * that Ctrl-C is not for it; when this thread ends, so does it. Returns 0,
 * or a negative errno after saying why.
 */
int live_relayd_start(struct live_relayd *relayd, const char *folder);

bool live_relayd_runs(struct live_relayd *relayd);

/* Ends it, and waits for that. */
void live_relayd_end(struct live_relayd *relayd);

#endif /* NFTRACE_NATIVE_LIVE_RELAYD_H */
