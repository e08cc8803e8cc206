// SPDX-License-Identifier: MIT
/* What events tell of threads; see around/events.h. */
#include "around/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/level.h"
#include "reader/field.h"

/* Bits of sched_switch's prev_state; any of the lowest eight: it sleeps. */
#define STATE_SLEEPS 0xff
#define STATE_ENDS   0x30 /* EXIT_DEAD, EXIT_ZOMBIE */

static const char *after(const char *name, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(name, prefix, size) != 0 ? NULL : name + size;
}

static enum around_event_kind classify(const char *name, const char **syscall)
{
	const char *native = after(name, "compat_");

	if (base_level_is_event(name))
		return AROUND_EVENT_RECORD;
	if (!strcmp(name, "sched_switch"))
		return AROUND_EVENT_SWITCH;
	if (!strcmp(name, "sched_wakeup") || !strcmp(name, "sched_wakeup_new"))
		return AROUND_EVENT_WAKEUP;
	if (!native)
		native = name;
	*syscall = after(native, "syscall_entry_");
	if (*syscall)
		return AROUND_EVENT_SYSCALL_ENTRY;
	return after(native, "syscall_exit") ? AROUND_EVENT_SYSCALL_EXIT
					     : AROUND_EVENT_OTHER;
}

static const char *class_name(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	return name ? name : "";
}

static void free_class(void *data)
{
	struct around_event_class *class = data;

	bt_event_class_put_ref(class->event_class);
	free(class);
}

static const struct around_event_class *
find_class(struct around_events *events, const bt_event_class *event_class)
{
	struct around_event_class *class =
		base_map_get(&events->classes, event_class);

	if (class)
		return class;
	class = calloc(1, sizeof(*class));
	if (!class)
		return NULL;
	class->event_class = event_class;
	bt_event_class_get_ref(event_class);
	class->kind = classify(class_name(event_class), &class->syscall);
	if (!base_map_add(&events->classes, event_class, class))
		return class;
	free_class(class);
	return NULL;
}

static void free_trace(void *data)
{
	struct around_event_trace *trace = data;

	reader_trace_free(trace->trace);
	free(trace);
}

static struct around_host *find_host(struct around_events *events,
				     const char *name)
{
	struct around_host *host = events->hosts;

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

const struct around_event_trace *
around_events_trace(struct around_events *events, const bt_stream *stream)
{
	const bt_trace *key = bt_stream_borrow_trace_const(stream);
	struct around_event_trace *trace = base_map_get(&events->traces, key);

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
	trace->host = find_host(events, trace->trace->hostname);
	if (trace->host && !base_map_add(&events->traces, key, trace))
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

void around_events_stream(struct around_events *events, const bt_stream *stream)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(stream);
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(
			class);
	const struct around_event_trace *trace =
		around_events_trace(events, stream);
	uint64_t nr_classes = bt_stream_class_get_event_class_count(class);

	if (!trace) /* shows again with its first event */
		return;
	if (trace->is_kernel)
		events->has.kernel = true;
	for (uint64_t i = 0; i < nr_classes; i++) {
		const char *syscall;
		enum around_event_kind kind = classify(
			class_name(
				bt_stream_class_borrow_event_class_by_index_const(
					class, i)),
			&syscall);

		if (kind == AROUND_EVENT_RECORD) {
			events->has.records = true;
			events->has.vtid |= has_member(context, "vtid");
		}
		if (!trace->is_kernel)
			continue;
		events->has.threads |= kind == AROUND_EVENT_SWITCH ||
				       has_member(context, "tid") ||
				       has_member(context, "vtid");
		events->has.switches |= kind == AROUND_EVENT_SWITCH;
		events->has.wakeups |= kind == AROUND_EVENT_WAKEUP;
		events->has.syscalls |= kind == AROUND_EVENT_SYSCALL_ENTRY;
	}
}

bool around_event_integer(const struct around_event *event, const char *name,
			  int64_t *value)
{
	return reader_field_integer(
		bt_event_borrow_payload_field_const(event->event), name, value);
}

static bool context_integer(const struct around_event *event, const char *name,
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

static void find_cpu(struct around_event *event)
{
	const bt_stream *stream = bt_event_borrow_stream_const(event->event);

	event->cpu_id = -1;
	if (bt_stream_class_supports_packets(
		    bt_stream_borrow_class_const(stream)) &&
	    reader_field_integer(
		    bt_packet_borrow_context_field_const(
			    bt_event_borrow_packet_const(event->event)),
		    "cpu_id", &event->cpu_id))
		event->cpu = around_cpu_get(event->threads, event->cpu_id);
	if (!event->cpu)
		event->cpu_id = -1;
}

/* Whose the event is. */
static void find_thread(struct around_events *events,
			struct around_event *event)
{
	int64_t tid;

	if (!event->trace->is_kernel) {
		if (!context_integer(event, "vtid", &event->vtid))
			return;
		event->thread = around_thread_find(event->threads, event->cpu,
						   event->vtid);
		if (!event->thread)
			event->thread = around_thread_get(
				event->threads, event->vtid, event->now,
				&events->nr_threads);
		return;
	}
	if (event->class->kind == AROUND_EVENT_SWITCH &&
	    around_event_integer(event, "prev_tid", &tid))
		event->thread = around_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	else if (context_integer(event, "tid", &tid))
		event->thread = around_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	else if (event->cpu && event->cpu->is_known)
		event->thread = event->cpu->current;
	else if (context_integer(event, "vtid", &tid))
		event->thread = around_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
	if (event->thread)
		(void)context_integer(event, "vtid", &event->thread->vtid);
}

/* Another thread that the event concerns. */
static void find_other(struct around_events *events, struct around_event *event)
{
	const char *name =
		event->class->kind == AROUND_EVENT_SWITCH ? "next_tid" : "tid";
	int64_t tid;

	if ((event->class->kind == AROUND_EVENT_SWITCH ||
	     event->class->kind == AROUND_EVENT_WAKEUP) &&
	    around_event_integer(event, name, &tid))
		event->other = around_thread_get(
			event->threads, tid, event->now, &events->nr_threads);
}

int around_events_find(struct around_events *events, const bt_event *bt_event,
		       int64_t now, struct around_event *event)
{
	*event = (struct around_event){ .event = bt_event, .now = now };
	event->class =
		find_class(events, bt_event_borrow_class_const(bt_event));
	event->trace = around_events_trace(
		events, bt_event_borrow_stream_const(bt_event));
	if (!event->class || !event->trace)
		return -ENOMEM;
	event->threads = &event->trace->host->threads;
	find_cpu(event);
	find_thread(events, event);
	if (event->trace->is_kernel)
		find_other(events, event);
	return 0;
}

int around_event_account(const struct around_events *events,
			 struct around_event *event)
{
	int64_t state = 0;

	if (!event->trace->is_kernel) {
		if (event->thread && events->has.switches)
			around_thread_runs(event->thread, event->now);
		return 0;
	}
	switch (event->class->kind) {
	case AROUND_EVENT_SWITCH:
		(void)around_event_integer(event, "prev_state", &state);
		if (event->cpu)
			around_thread_switch(event->cpu, event->thread,
					     !(state & STATE_SLEEPS),
					     event->other, event->now);
		return 0;
	case AROUND_EVENT_WAKEUP:
		if (event->other && events->has.switches)
			around_thread_wake(event->other, event->now);
		return 0;
	case AROUND_EVENT_SYSCALL_ENTRY:
		if (!event->thread)
			return 0;
		if (events->has.switches)
			around_thread_runs(event->thread, event->now);
		around_thread_enter(event->thread, event->class->syscall,
				    event->now);
		return 0;
	case AROUND_EVENT_SYSCALL_EXIT:
		if (!event->thread)
			return 0;
		if (events->has.switches)
			around_thread_runs(event->thread, event->now);
		return around_thread_leave(event->thread, event->now);
	default:
		return 0;
	}
}

void around_event_end_thread(struct around_event *event)
{
	int64_t state;

	if (event->trace->is_kernel &&
	    event->class->kind == AROUND_EVENT_SWITCH && event->thread &&
	    around_event_integer(event, "prev_state", &state) &&
	    (state & STATE_ENDS))
		around_thread_end(event->threads, event->thread);
}

void around_events_free(struct around_events *events)
{
	base_map_free(&events->classes, free_class);
	base_map_free(&events->traces, free_trace);
	while (events->hosts) {
		struct around_host *host = events->hosts;

		events->hosts = host->next;
		around_threads_free(&host->threads);
		free(host->name);
		free(host);
	}
}
