// SPDX-License-Identifier: MIT
/* What events tell of threads; see around/events.h. */
#include "around/events.h"

#include <stdlib.h>
#include <string.h>

#include "reader/field.h"

/* Bits of sched_switch's prev_state; any of the lowest eight: it sleeps. */
#define STATE_SLEEPS 0xff
#define STATE_ENDS   0x30 /* EXIT_DEAD, EXIT_ZOMBIE */

static const char *after(const char *name, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(name, prefix, size) != 0 ? NULL : name + size;
}

static enum reader_event_kind classify(const char *name, const char **syscall)
{
	const char *native = after(name, "compat_");

	if (after(name, "bunyan:"))
		return READER_EVENT_RECORD;
	if (!strcmp(name, "sched_switch"))
		return READER_EVENT_SWITCH;
	if (!strcmp(name, "sched_wakeup") || !strcmp(name, "sched_wakeup_new"))
		return READER_EVENT_WAKEUP;
	if (!native)
		native = name;
	*syscall = after(native, "syscall_entry_");
	if (*syscall)
		return READER_EVENT_SYSCALL_ENTRY;
	return after(native, "syscall_exit") ? READER_EVENT_SYSCALL_EXIT
					     : READER_EVENT_OTHER;
}

static const char *class_name(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	return name ? name : "";
}

static void free_class(void *data)
{
	struct reader_event_class *class = data;

	bt_event_class_put_ref(class->event_class);
	free(class);
}

static const struct reader_event_class *
know_class(struct reader_events *events, const bt_event_class *event_class)
{
	struct reader_event_class *class =
		reader_map_get(&events->classes, event_class);

	if (class)
		return class;
	class = calloc(1, sizeof(*class));
	if (!class)
		return NULL;
	class->event_class = event_class;
	bt_event_class_get_ref(event_class);
	class->kind = classify(class_name(event_class), &class->syscall);
	if (reader_map_add(&events->classes, event_class, class))
		return class;
	free_class(class);
	return NULL;
}

static void free_trace(void *data)
{
	struct reader_event_trace *trace = data;

	reader_trace_free(trace->trace);
	free(trace);
}

static struct reader_host *know_host(struct reader_events *events,
				     const char *name)
{
	struct reader_host *host = events->hosts;

	while (host && strcmp(host->name, name) != 0)
		host = host->next;
	if (host)
		return host;
	host = calloc(1, sizeof(*host));
	if (!host)
		return NULL;
	host->name = strdup(name);
	if (!host->name) {
		free(host);
		return NULL;
	}
	host->next = events->hosts;
	events->hosts = host;
	return host;
}

const struct reader_event_trace *
reader_events_trace(struct reader_events *events, const bt_stream *stream)
{
	const bt_trace *key = bt_stream_borrow_trace_const(stream);
	struct reader_event_trace *trace = reader_map_get(&events->traces, key);

	if (trace)
		return trace;
	trace = calloc(1, sizeof(*trace));
	if (!trace)
		return NULL;
	trace->trace = reader_trace_create(key);
	if (!trace->trace) {
		free(trace);
		return NULL;
	}
	trace->is_kernel = !strcmp(trace->trace->domain, "kernel");
	trace->host = know_host(events, trace->trace->hostname);
	if (trace->host && reader_map_add(&events->traces, key, trace))
		return trace;
	free_trace(trace);
	return NULL;
}

/* Whether a class of a structure, which may be NULL, has a member. */
static bool has_member(const bt_field_class *structure, const char *name)
{
	return structure &&
	       bt_field_class_structure_borrow_member_by_name_const(structure,
								    name);
}

void reader_events_stream(struct reader_events *events, const bt_stream *stream)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(stream);
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(
			class);
	const struct reader_event_trace *trace =
		reader_events_trace(events, stream);
	uint64_t nr_classes = bt_stream_class_get_event_class_count(class);

	if (!trace) /* shows again with its first event */
		return;
	if (trace->is_kernel)
		events->has.kernel = true;
	for (uint64_t i = 0; i < nr_classes; i++) {
		const char *syscall;
		enum reader_event_kind kind = classify(
			class_name(
				bt_stream_class_borrow_event_class_by_index_const(
					class, i)),
			&syscall);

		if (kind == READER_EVENT_RECORD) {
			events->has.records = true;
			events->has.vtid |= has_member(context, "vtid");
		}
		if (!trace->is_kernel)
			continue;
		events->has.threads |= kind == READER_EVENT_SWITCH ||
				       has_member(context, "tid") ||
				       has_member(context, "vtid");
		events->has.switches |= kind == READER_EVENT_SWITCH;
		events->has.wakeups |= kind == READER_EVENT_WAKEUP;
		events->has.syscalls |= kind == READER_EVENT_SYSCALL_ENTRY;
	}
}

bool reader_event_integer(const struct reader_event *event, const char *name,
			  int64_t *value)
{
	return reader_field_integer(
		bt_event_borrow_payload_field_const(event->event), name, value);
}

static bool context_integer(const struct reader_event *event, const char *name,
			    int64_t *value)
{
	return reader_field_integer(
		       bt_event_borrow_common_context_field_const(event->event),
		       name, value) ||
	       reader_field_integer(
		       bt_event_borrow_specific_context_field_const(
			       event->event),
		       name, value);
}

static void find_cpu(struct reader_event *event)
{
	const bt_stream *stream = bt_event_borrow_stream_const(event->event);

	event->cpu_id = -1;
	if (bt_stream_class_supports_packets(
		    bt_stream_borrow_class_const(stream)) &&
	    reader_field_integer(
		    bt_packet_borrow_context_field_const(
			    bt_event_borrow_packet_const(event->event)),
		    "cpu_id", &event->cpu_id))
		event->cpu = reader_cpu_get(event->threads, event->cpu_id);
	if (!event->cpu)
		event->cpu_id = -1;
}

/* Whose the event is. */
static void find_thread(struct reader_events *events,
			struct reader_event *event)
{
	int64_t tid;

	if (!event->trace->is_kernel) {
		if (!context_integer(event, "vtid", &event->vtid))
			return;
		event->thread = reader_thread_find(event->threads, event->cpu,
						   event->vtid);
		if (!event->thread)
			event->thread = reader_thread_get(
				event->threads, event->vtid, event->now,
				&events->nr_threads);
		return;
	}
	if (event->class->kind == READER_EVENT_SWITCH &&
	    reader_event_integer(event, "prev_tid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	else if (context_integer(event, "tid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	else if (event->cpu && event->cpu->is_known)
		event->thread = event->cpu->current;
	else if (context_integer(event, "vtid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	if (event->thread)
		(void)context_integer(event, "vtid", &event->thread->vtid);
}

/* Another thread that the event concerns. */
static void find_other(struct reader_events *events, struct reader_event *event)
{
	const char *name =
		event->class->kind == READER_EVENT_SWITCH ? "next_tid" : "tid";
	int64_t tid;

	if ((event->class->kind == READER_EVENT_SWITCH ||
	     event->class->kind == READER_EVENT_WAKEUP) &&
	    reader_event_integer(event, name, &tid))
		event->other = reader_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
}

bool reader_events_find(struct reader_events *events, const bt_event *bt_event,
			int64_t now, struct reader_event *event)
{
	*event = (struct reader_event){ .event = bt_event, .now = now };
	event->class =
		know_class(events, bt_event_borrow_class_const(bt_event));
	event->trace = reader_events_trace(
		events, bt_event_borrow_stream_const(bt_event));
	if (!event->class || !event->trace)
		return false;
	event->threads = &event->trace->host->threads;
	find_cpu(event);
	find_thread(events, event);
	if (event->trace->is_kernel)
		find_other(events, event);
	return true;
}

bool reader_event_account(const struct reader_events *events,
			  struct reader_event *event)
{
	int64_t state = 0;

	if (!event->trace->is_kernel) {
		if (event->thread && events->has.switches)
			reader_thread_runs(event->thread, event->now);
		return true;
	}
	switch (event->class->kind) {
	case READER_EVENT_SWITCH:
		(void)reader_event_integer(event, "prev_state", &state);
		if (event->cpu)
			reader_thread_switch(event->cpu, event->thread,
					     !(state & STATE_SLEEPS),
					     event->other, event->now);
		return true;
	case READER_EVENT_WAKEUP:
		if (event->other && events->has.switches)
			reader_thread_wake(event->other, event->now);
		return true;
	case READER_EVENT_SYSCALL_ENTRY:
		if (!event->thread)
			return true;
		if (events->has.switches)
			reader_thread_runs(event->thread, event->now);
		reader_thread_enter(event->thread, event->class->syscall,
				    event->now);
		return true;
	case READER_EVENT_SYSCALL_EXIT:
		if (!event->thread)
			return true;
		if (events->has.switches)
			reader_thread_runs(event->thread, event->now);
		return reader_thread_leave(event->thread, event->now);
	default:
		return true;
	}
}

void reader_event_end_thread(struct reader_event *event)
{
	int64_t state;

	if (event->trace->is_kernel &&
	    event->class->kind == READER_EVENT_SWITCH && event->thread &&
	    reader_event_integer(event, "prev_state", &state) &&
	    (state & STATE_ENDS))
		reader_thread_end(event->threads, event->thread);
}

void reader_events_free(struct reader_events *events)
{
	reader_map_free(&events->classes, free_class);
	reader_map_free(&events->traces, free_trace);
	while (events->hosts) {
		struct reader_host *host = events->hosts;

		events->hosts = host->next;
		reader_threads_free(&host->threads);
		free(host->name);
		free(host);
	}
}
