// SPDX-License-Identifier: MIT
/* What went on around chosen records; see around/around.h. */
#include "around/around.h"

#include <errno.h>
#include <string.h>

#include "base/report.h"
#include "around/summary.h"
#include "around/thread.h"

void around_stream(struct around *around, const bt_stream *stream)
{
	around_events_stream(&around->events, stream);
}

int around_begin(struct around *around)
{
	static const char how[] =
		"record with nftrace record --kernel sched_switch,sched_wakeup "
		"--syscalls '*' -- COMMAND";

	around->is_refused = true;
	if (!around->events.has.kernel) {
		base_report(
			"--around: there are no kernel events in this trace; "
			"%s",
			how);
		return -ENODATA;
	}
	if (!around->events.has.threads) {
		base_report(
			"--around: the kernel's events don't tell of which "
			"thread they are; %s, or add the context with lttng "
			"add-context --kernel --type=tid",
			how);
		return -ENODATA;
	}
	if (around->events.has.records && !around->events.has.vtid) {
		base_report(
			"--around: the records don't tell which thread made "
			"them; %s, or add the context with lttng "
			"add-context --userspace --type=vtid",
			how);
		return -ENODATA;
	}
	around->is_refused = false;
	if (!around->events.has.switches)
		base_report("--around: without the kernel's sched_switch, no "
			    "time running or blocked can be told; %s",
			    how);
	else if (!around->events.has.wakeups)
		base_report("--around: without the kernel's sched_wakeup, time "
			    "waiting for a CPU counts as blocked, unless the "
			    "thread was preempted; %s",
			    how);
	if (!around->events.has.syscalls)
		base_report("--around: no system calls were recorded; %s", how);
	return 0;
}

/* Takes out the oldest line, and brings it to the output if it is wanted. */
static void pass_oldest(struct around *around)
{
	const struct around_ring_entry *entry =
		around_ring_at(&around->ring, 0);

	if (entry->is_wanted)
		base_text_bytes(&around->records->text, entry->line,
				entry->size);
	around_ring_drop(&around->ring);
}

/* Takes the lines from @begin on out of the output, to wait in the ring. Returns 0 or -ENOMEM. */
static int move_to_ring(struct around *around, size_t begin,
			const struct around_ring_entry *what)
{
	struct base_text *text = &around->records->text;
	size_t size = text->size - begin;

	if (text->failed)
		return -ENOMEM;
	if (size == 0)
		return 0;
	base_text_cut(text, begin);
	return around_ring_add(&around->ring, what, text->data + begin, size);
}

/* Drops lines that nothing can want any longer, and the oldest of too many. */
static void drop_outdated(struct around *around)
{
	int64_t oldest;

	if (__builtin_sub_overflow(around->now, around->duration, &oldest))
		oldest = INT64_MIN;
	while (around->ring.nr_entries &&
	       around_ring_at(&around->ring, 0)->time < oldest)
		pass_oldest(around);
	while (around->ring.bytes > around->max_bytes &&
	       around->ring.nr_entries) {
		if (!around_ring_at(&around->ring, 0)->is_wanted)
			around->nr_given_up++;
		pass_oldest(around);
	}
}

/* The time from which on lines aren't known yet to be wanted. */
static int64_t begin_of(const struct around *around, int64_t wanted_until)
{
	int64_t begin;

	if (__builtin_sub_overflow(around->now, around->duration, &begin))
		begin = INT64_MIN;
	return begin > wanted_until ? begin : wanted_until;
}

static int64_t until(const struct around *around)
{
	int64_t end;

	return __builtin_add_overflow(around->now, around->duration, &end)
		       ? INT64_MAX
		       : end;
}

/* Marks what came before a record as wanted, and what will come. */
static void mark_surroundings(struct around *around,
			      const struct around_event *event)
{
	struct around_thread *thread = event->thread;
	struct around_cpu *cpu = event->cpu;
	int64_t thread_begin = thread ? begin_of(around, thread->wanted_until)
				      : INT64_MAX;
	int64_t cpu_begin = cpu ? begin_of(around, cpu->wanted_until)
				: INT64_MAX;
	int64_t begin = thread_begin < cpu_begin ? thread_begin : cpu_begin;

	for (size_t i = around->ring.nr_entries; i-- > 0;) {
		struct around_ring_entry *entry =
			around_ring_at(&around->ring, i);

		if (entry->time < begin)
			break;
		if (entry->host != event->trace->host)
			continue;
		if ((cpu && entry->cpu_id == event->cpu_id) ||
		    (thread && (entry->threads[0] == thread->serial ||
				entry->threads[1] == thread->serial)))
			entry->is_wanted = true;
	}
	if (thread)
		thread->wanted_until = until(around);
	if (cpu)
		cpu->wanted_until = until(around);
}

/* Whether an earlier record wants the event. */
static bool is_wanted(const struct around_event *event)
{
	return (event->cpu && event->cpu->wanted_until >= event->now) ||
	       (event->thread && event->thread->wanted_until >= event->now) ||
	       (event->other && event->other->wanted_until >= event->now);
}

static struct around_ring_entry describe(const struct around_event *event)
{
	return (struct around_ring_entry){
		.time = event->now,
		.threads = { event->thread ? event->thread->serial : 0,
			     event->other ? event->other->serial : 0 },
		.host = event->trace->host,
		.cpu_id = event->cpu_id,
		.is_wanted = is_wanted(event),
	};
}

/* Adds the line that tells where the thread's time went. Returns 0 or -ENOMEM. */
static int summarize(struct around *around, const struct around_event *event)
{
	struct around_ring_entry entry = describe(event);
	struct base_text *text = &around->records->text;
	size_t begin = text->size;
	struct around_summary_place place = {
		.hostname = event->trace->host->name,
		.vtid = event->vtid,
		.cpu_id = event->cpu_id,
		.ns = event->now,
		.has_losses = event->thread->nr_losses !=
			      event->threads->nr_losses,
	};

	(void)around_event_integer(event, "pid", &place.pid);
	around_thread_settle(event->thread, event->now);
	around_summary_append(text, &around->records->time, event->thread,
			      &place);
	entry.is_wanted = true;
	return move_to_ring(around, begin, &entry);
}

/* This and the following return 0 or -ENOMEM. */

/* The line of a record, from @begin on, has just been written. */
static int process_record(struct around *around, const bt_message *message,
			  const struct around_event *event, size_t begin)
{
	struct base_text *text = &around->records->text;
	struct around_ring_entry entry;
	bool is_chosen = false;

	if (reader_records_wants(around->records, message, &around->filter) &&
	    text->size > begin &&
	    expression_evaluate(around->expression, text->data + begin,
				text->size - begin, &is_chosen))
		return -ENOMEM;
	if (is_chosen) {
		around->nr_matches++;
		mark_surroundings(around, event);
	}
	entry = describe(event);
	entry.is_wanted |= is_chosen;
	if (move_to_ring(around, begin, &entry))
		return -ENOMEM;
	if (!event->thread) {
		around->nr_without_thread += is_chosen;
		return 0;
	}
	if (is_chosen && summarize(around, event))
		return -ENOMEM;
	around_thread_begin(event->threads, event->thread, event->now);
	return 0;
}

static int process_event(struct around *around, const bt_message *message)
{
	size_t begin = around->records->text.size;
	struct around_ring_entry entry;
	struct around_event event;

	if (around_events_find(&around->events,
			       bt_message_event_borrow_event_const(message),
			       around->now, &event) ||
	    around_event_account(&around->events, &event) ||
	    reader_records_message(around->records, message))
		return -ENOMEM;
	if (event.class->kind == AROUND_EVENT_RECORD && !event.trace->is_kernel)
		return process_record(around, message, &event, begin);
	entry = describe(&event);
	if (move_to_ring(around, begin, &entry))
		return -ENOMEM;
	around_event_end_thread(&event);
	return 0;
}

/* Losses are shown whatever is around them. */
static int process_loss(struct around *around, const bt_message *message,
			const bt_stream *stream)
{
	const struct around_event_trace *trace =
		around_events_trace(&around->events, stream);
	struct around_ring_entry entry = {
		.time = around->now,
		.cpu_id = -1,
		.is_wanted = true,
	};
	size_t begin = around->records->text.size;

	if (!trace)
		return -ENOMEM;
	entry.host = trace->host;
	trace->host->threads.nr_losses++;
	if (reader_records_message(around->records, message))
		return -ENOMEM;
	return move_to_ring(around, begin, &entry);
}

static void set_time(struct around *around, const bt_message *message)
{
	int64_t now;

	if (bt_message_event_borrow_stream_class_default_clock_class_const(
		    message) &&
	    reader_clocks_ns(
		    &around->records->clocks,
		    bt_message_event_borrow_default_clock_snapshot_const(
			    message),
		    &now) &&
	    now > around->now)
		around->now = now;
}

int around_message(struct around *around, const bt_message *message)
{
	int ret = 0;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		set_time(around, message);
		ret = process_event(around, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		ret = process_loss(
			around, message,
			bt_message_discarded_events_borrow_stream_const(
				message));
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		ret = process_loss(
			around, message,
			bt_message_discarded_packets_borrow_stream_const(
				message));
		break;
	default:
		return reader_records_message(around->records, message);
	}
	drop_outdated(around);
	return ret || around->records->text.failed ? -ENOMEM : 0;
}

int around_end(struct around *around)
{
	while (around->ring.nr_entries)
		pass_oldest(around);
	return around->records->text.failed ? -ENOMEM : 0;
}

void around_free(struct around *around)
{
	around_ring_free(&around->ring);
	around_events_free(&around->events);
}
