/* SPDX-License-Identifier: MIT */
/*
 * One epoch for the clocks of one host. Kernel and userspace traces of a host
 * read the same clock, as its UUID tells, but each has measured for itself how
 * far that is from the epoch. These offsets are some µs apart (more if the time
 * was set between two sessions), enough to turn round what followed closely.
 */
#ifndef NFTRACE_NATIVE_READER_CLOCK_H
#define NFTRACE_NATIVE_READER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "base/map.h"

struct reader_clock;

/* Zeroed: none is known, and times are as the traces have them. */
struct reader_clocks {
	struct base_map clocks; /* of struct reader_clock */
	bool is_settled;
	bool is_corrected;		 /* some clock's offset isn't its own */
	const struct reader_clock *last; /* weak; looked at last */
};

/*
 * Makes the clock of @stream known; @mip is the graph's message interchange
 * protocol. Once they are settled, a new clock takes the offset of those it is
 * the same as. Returns 0 or -ENOMEM.
 */
int reader_clocks_add(struct reader_clocks *clocks, const bt_stream *stream,
		      uint64_t mip);

/*
 * Gives all clocks of one UUID and one host, of which any number is known by
 * now, the same offset: the kernel's, which was measured with interrupts off;
 * of several kernel traces or of none, the least, so that neither the order of
 * the traces nor that of their events matters.
 */
void reader_clocks_settle(struct reader_clocks *clocks);

/* Whether a 64-bit integer holds the time of @snapshot; *@ns, since the epoch, then. */
bool reader_clocks_ns(struct reader_clocks *clocks,
		      const bt_clock_snapshot *snapshot, int64_t *ns);

void reader_clocks_free(struct reader_clocks *clocks);

#endif /* NFTRACE_NATIVE_READER_CLOCK_H */
