// SPDX-License-Identifier: MIT
/* What a trace says that it lacks; see reader/loss.h. */
#include "reader/loss.h"

#include <errno.h>
#include <stdlib.h>

/* A stream whose counter has run backwards. */
struct debt {
	const bt_stream *stream; /* a reference is held */
	uint64_t events; /* counted already that will be counted again */
};

static void free_debt(void *data)
{
	struct debt *debt = data;

	bt_stream_put_ref(debt->stream);
	free(debt);
}

static struct debt *find_debt(struct reader_losses *losses,
			      const bt_stream *stream)
{
	struct debt *debt = base_map_get(&losses->streams, stream);

	if (debt)
		return debt;
	debt = calloc(1, sizeof(*debt));
	if (!debt)
		return NULL;
	debt->stream = stream;
	bt_stream_get_ref(stream);
	if (!base_map_add(&losses->streams, stream, debt))
		return debt;
	free_debt(debt);
	return NULL;
}

/* Leaves out of @loss what was counted before. Returns 0 or -ENOMEM. */
static int settle(struct reader_losses *losses, struct reader_loss *loss)
{
	struct debt *debt;

	/* The difference of two packets' counters, modulo 2^64. */
	if (loss->count > INT64_MAX) {
		debt = find_debt(losses, loss->stream);
		if (!debt)
			return -ENOMEM;
		debt->events -= loss->count;
		loss->count = 0;
		return 0;
	}
	debt = base_map_get(&losses->streams, loss->stream);
	if (debt) {
		uint64_t again = debt->events < loss->count ? debt->events
							    : loss->count;

		debt->events -= again;
		loss->count -= again;
	}
	return 0;
}

static int64_t ns_of(struct reader_clocks *clocks,
		     const bt_clock_snapshot *snapshot)
{
	int64_t ns;

	return reader_clocks_ns(clocks, snapshot, &ns) ? ns : 0;
}

static void describe_events(const bt_message *message,
			    struct reader_clocks *clocks,
			    struct reader_loss *loss)
{
	loss->stream = bt_message_discarded_events_borrow_stream_const(message);
	loss->has_count =
		bt_message_discarded_events_get_count(message, &loss->count) ==
		BT_PROPERTY_AVAILABILITY_AVAILABLE;
	loss->has_times =
		bt_stream_class_discarded_events_have_default_clock_snapshots(
			bt_stream_borrow_class_const(loss->stream));
	if (!loss->has_times)
		return;
	loss->begin = ns_of(
		clocks,
		bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
			message));
	loss->end = ns_of(
		clocks,
		bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
			message));
}

static void describe_packets(const bt_message *message,
			     struct reader_clocks *clocks,
			     struct reader_loss *loss)
{
	loss->are_packets = true;
	loss->stream =
		bt_message_discarded_packets_borrow_stream_const(message);
	loss->has_count =
		bt_message_discarded_packets_get_count(message, &loss->count) ==
		BT_PROPERTY_AVAILABILITY_AVAILABLE;
	loss->has_times =
		bt_stream_class_discarded_packets_have_default_clock_snapshots(
			bt_stream_borrow_class_const(loss->stream));
	if (!loss->has_times)
		return;
	loss->begin = ns_of(
		clocks,
		bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
			message));
	loss->end = ns_of(
		clocks,
		bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
			message));
}

int reader_losses_describe(struct reader_losses *losses,
			   const bt_message *message,
			   struct reader_clocks *clocks,
			   struct reader_loss *loss)
{
	*loss = (struct reader_loss){ 0 };
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_PACKETS) {
		describe_packets(message, clocks, loss);
		return 0;
	}
	describe_events(message, clocks, loss);
	return loss->has_count ? settle(losses, loss) : 0;
}

void reader_losses_free(struct reader_losses *losses)
{
	base_map_free(&losses->streams, free_debt);
}
