/* SPDX-License-Identifier: MIT */
/* What a trace says that it lacks. */
#ifndef NFTRACE_NATIVE_READER_LOSS_H
#define NFTRACE_NATIVE_READER_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "reader/clock.h"
#include "base/map.h"

/* Events or packets that were lost, one after the other, in one stream. */
struct reader_loss {
	const bt_stream *stream; /* weak */
	bool are_packets;
	bool has_count;
	uint64_t count;
	bool has_times;
	int64_t begin; /* ns since the Unix epoch; 0 if that is out of range */
	int64_t end;
};

/*
 * Zeroed, is ready. Threads that end two packets of a buffer at once may write
 * LTTng's counter of lost events in the wrong order: the one of the later packet
 * is then less than what was counted before, by any number.
 */
struct reader_losses {
	struct base_map streams; /* whose counter has run backwards */
};

/*
 * Takes a message of discarded events or packets. What a counter that ran
 * backwards says again is left out, so that all losses of a stream make up the
 * most that it has said; from version 2.1 on babeltrace2 doesn't tell that one
 * did, and what it says again counts again. *@loss has a count of 0 if there is
 * nothing new in it. Returns 0 or -ENOMEM.
 */
int reader_losses_describe(struct reader_losses *losses,
			   const bt_message *message,
			   struct reader_clocks *clocks,
			   struct reader_loss *loss);

void reader_losses_free(struct reader_losses *losses);

#endif /* NFTRACE_NATIVE_READER_LOSS_H */
