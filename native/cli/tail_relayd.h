/* SPDX-License-Identifier: MIT */
/* A relay daemon of our own, on the loopback interface. */
#ifndef NFTRACE_NATIVE_CLI_TAIL_RELAYD_H
#define NFTRACE_NATIVE_CLI_TAIL_RELAYD_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

/* Zeroed: not running. */
struct cli_relayd {
	uint16_t control_port; /* where the consumer daemon sends to */
	uint16_t data_port;
	uint16_t live_port; /* where it is read from */
	/* The rest is tail_relayd.c's own. */
	uv_process_t process;
	bool is_running;
	int mark;     /* of folder; see tail_leftover.h */
	char *folder; /* owned; its traces, for as long as it runs */
};

/*
 * Starts lttng-relayd, which is not in this process's group, so that Ctrl-C is
 * not for it, and waits until it answers. Returns false after printing why.
 */
bool cli_relayd_start(struct cli_relayd *relayd, uv_loop_t *loop);

/* Ends it, waits for that, and removes its traces. */
void cli_relayd_end(struct cli_relayd *relayd, uv_loop_t *loop);

#endif /* NFTRACE_NATIVE_CLI_TAIL_RELAYD_H */
