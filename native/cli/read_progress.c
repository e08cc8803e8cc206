// SPDX-License-Identifier: MIT
/* How far a long read has come; see read_progress.h. */
#include "read_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS    1000
#define INTERVAL_MS 200
#define STEPS	    1024 /* between looks at the clock */
#define CLEAR_LINE  "\r\033[K"
#define PER_CENT    100
#define MS_PER_S    1000
#define NS_PER_MS   1000000

static uint64_t clock_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * MS_PER_S +
	       (uint64_t)now.tv_nsec / NS_PER_MS;
}

void cli_progress_begin(struct cli_progress *progress)
{
	*progress = (struct cli_progress){
		.is_wanted = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO),
		.next = clock_ms() + FIRST_MS,
	};
}

void cli_progress_step(struct cli_progress *progress, uint64_t packets,
		       uint64_t all_packets, uint64_t records)
{
	uint64_t now;

	if (!progress->is_wanted || ++progress->nr_steps < STEPS)
		return;
	progress->nr_steps = 0;
	now = clock_ms();
	if (now < progress->next)
		return;
	progress->next = now + INTERVAL_MS;
	progress->is_shown = true;
	/* Packets that no index tells of don't make it 101 %. */
	if (packets > all_packets)
		packets = all_packets;
	(void)fprintf(
		stderr,
		CLEAR_LINE "nftrace: %" PRIu64 " %% read, %" PRIu64 " records",
		all_packets ? packets * PER_CENT / all_packets : 0, records);
	(void)fflush(stderr);
}

void cli_progress_end(struct cli_progress *progress)
{
	if (progress->is_shown)
		(void)fputs(CLEAR_LINE, stderr);
	progress->is_shown = false;
}
