/* SPDX-License-Identifier: MIT */
/* How far a long read has come, shown to a person who waits. */
#ifndef NFTRACE_NATIVE_CLI_READ_PROGRESS_H
#define NFTRACE_NATIVE_CLI_READ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct cli_progress {
	bool is_wanted;	       /* stderr is a terminal, and stdout isn't */
	unsigned int nr_steps; /* since the clock was looked at */
	uint64_t next;	       /* when to show it, in ms of the clock */
};

void cli_progress_begin(struct cli_progress *progress);

/*
 * To be called at each step. Shows, once a read has taken a second, that so many
 * of all packets, and records, have been read, until cli_hide().
 */
void cli_progress_step(struct cli_progress *progress, uint64_t packets,
		       uint64_t all_packets, uint64_t records);

#endif /* NFTRACE_NATIVE_CLI_READ_PROGRESS_H */
