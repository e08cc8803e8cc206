// SPDX-License-Identifier: MIT
/* One epoch for the clocks of one host; see reader/clock.h. */
#include "reader/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/class.h"

#define NS_PER_SECOND INT64_C(1000000000)
/* Offsets of more seconds would not go into ns. */
#define MAX_SECONDS (INT64_MAX / NS_PER_SECOND - 1)
#define UUID_SIZE   16

/* Of libbabeltrace2 2.1; NULL in 2.0, which has no protocol that needs it. */
extern const char *bt_clock_class_get_uid(const bt_clock_class *class)
	__attribute__((weak));

struct reader_clock {
	const bt_clock_class *class; /* a reference is held */
	char *identity; /* owned; the same for those to be put together; "":
			   none is */
	bool is_kernel;
	uint64_t frequency; /* Hz */
	int64_t offset;	    /* from the epoch; ns; as the trace has it */
	int64_t correction; /* to be added to what it shows; ns */
};

/* What tells the clock of a host. The caller frees it. NULL when out of memory. */
static char *identify(const bt_clock_class *class, const char *hostname,
		      uint64_t mip)
{
	char uuid[UUID_SIZE * 2 + 1] = "";
	const char *uid = NULL;
	char *identity;

	if (!bt_clock_class_origin_is_unix_epoch(class))
		return strdup("");
	if (mip == 0) {
		bt_uuid bytes = bt_clock_class_get_uuid(class);

		for (size_t i = 0; bytes && i < UUID_SIZE; i++)
			(void)snprintf(uuid + 2 * i, 3, "%02x", bytes[i]);
		uid = bytes ? uuid : NULL;
	} else if (bt_clock_class_get_uid) {
		uid = bt_clock_class_get_uid(class);
	}
	if (!uid || !*uid)
		return strdup("");
	return asprintf(&identity, "%s %s", uid, hostname) < 0 ? NULL
							       : identity;
}

/* Returns false if the offset doesn't go into ns. */
static bool find_offset(struct reader_clock *clock)
{
	uint64_t cycles;
	int64_t seconds;

	clock->frequency = bt_clock_class_get_frequency(clock->class);
	bt_clock_class_get_offset(clock->class, &seconds, &cycles);
	if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS)
		return false;
	clock->offset = seconds * NS_PER_SECOND +
			(int64_t)((double)cycles * (double)NS_PER_SECOND /
				  (double)clock->frequency);
	return true;
}

static void free_clock(void *data)
{
	struct reader_clock *clock = data;

	bt_clock_class_put_ref(clock->class);
	free(clock->identity);
	free(clock);
}

/* The next clock from *@place on; NULL after the last. */
static struct reader_clock *next_clock(const struct reader_clocks *clocks,
				       size_t *place)
{
	while (*place < clocks->clocks.nr_places) {
		const struct base_map_entry *entry =
			&clocks->clocks.entries[(*place)++];

		if (entry->key)
			return entry->value;
	}
	return NULL;
}

static bool are_same(const struct reader_clock *one,
		     const struct reader_clock *other)
{
	return *one->identity && !strcmp(one->identity, other->identity) &&
	       one->frequency == other->frequency;
}

/* The offset that all the clocks that are the same as @clock are to have. */
static int64_t common_offset(const struct reader_clocks *clocks,
			     const struct reader_clock *clock)
{
	const struct reader_clock *best = clock;
	const struct reader_clock *other;
	size_t place = 0;

	while ((other = next_clock(clocks, &place)))
		if (are_same(clock, other) &&
		    (other->is_kernel != best->is_kernel
			     ? other->is_kernel
			     : other->offset < best->offset))
			best = other;
	return best->offset;
}

/* Joins a clock that comes late to those that have been settled. */
static void join(struct reader_clocks *clocks, struct reader_clock *clock)
{
	const struct reader_clock *other;
	size_t place = 0;

	while ((other = next_clock(clocks, &place))) {
		if (other == clock || !are_same(clock, other))
			continue;
		clock->correction =
			other->offset + other->correction - clock->offset;
		clocks->is_corrected |= clock->correction != 0;
		return;
	}
}

int reader_clocks_add(struct reader_clocks *clocks, const bt_stream *stream,
		      uint64_t mip)
{
	const bt_clock_class *class =
		bt_stream_class_borrow_default_clock_class_const(
			bt_stream_borrow_class_const(stream));
	struct reader_trace *trace;
	struct reader_clock *clock;

	if (!class || base_map_get(&clocks->clocks, class))
		return 0;
	trace = reader_trace_create(bt_stream_borrow_trace_const(stream));
	clock = calloc(1, sizeof(*clock));
	if (!trace || !clock)
		goto failed;
	clock->class = class;
	bt_clock_class_get_ref(class);
	clock->is_kernel = !strcmp(trace->domain, "kernel");
	clock->identity = identify(class, trace->hostname, mip);
	if (!clock->identity || base_map_add(&clocks->clocks, class, clock)) {
		free_clock(clock);
		clock = NULL;
		goto failed;
	}
	reader_trace_free(trace);
	if (!find_offset(clock))
		clock->identity[0] = '\0';
	else if (clocks->is_settled)
		join(clocks, clock);
	return 0;
failed:
	free(clock);
	if (trace)
		reader_trace_free(trace);
	return -ENOMEM;
}

void reader_clocks_settle(struct reader_clocks *clocks)
{
	struct reader_clock *clock;
	size_t place = 0;

	while ((clock = next_clock(clocks, &place))) {
		clock->correction =
			common_offset(clocks, clock) - clock->offset;
		clocks->is_corrected |= clock->correction != 0;
	}
	clocks->is_settled = true;
}

bool reader_clocks_ns(struct reader_clocks *clocks,
		      const bt_clock_snapshot *snapshot, int64_t *ns)
{
	const bt_clock_class *class;

	if (bt_clock_snapshot_get_ns_from_origin(snapshot, ns) !=
	    BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
		bt_current_thread_clear_error();
		return false;
	}
	if (!clocks->is_corrected)
		return true;
	class = bt_clock_snapshot_borrow_clock_class_const(snapshot);
	if (!clocks->last || clocks->last->class != class)
		clocks->last = base_map_get(&clocks->clocks, class);
	return !clocks->last ||
	       !__builtin_add_overflow(*ns, clocks->last->correction, ns);
}

void reader_clocks_free(struct reader_clocks *clocks)
{
	base_map_free(&clocks->clocks, free_clock);
	*clocks = (struct reader_clocks){ 0 };
}
