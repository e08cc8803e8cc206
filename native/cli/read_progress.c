// SPDX-License-Identifier: MIT
/* How far a long read has come; see cli/read_progress.h. */
#include "cli/read_progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define FIRST_MS    1000
#define INTERVAL_MS 200
#define STEPS	    1024 /* between looks at the clock */
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
		.is_wanted = cli_can_show() && !isatty(STDOUT_FILENO),
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
	/* Packets that no index tells of don't make it 101 %. */
	if (packets > all_packets)
		packets = all_packets;
	cli_show("%" PRIu64 " %% read, %" PRIu64 " records",
		 all_packets ? packets * PER_CENT / all_packets : 0, records);
}
