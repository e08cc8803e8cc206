// SPDX-License-Identifier: MIT
/* What went on around chosen records; see reader_around.h. */
#include "reader_around.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "reader_class.h"
#include "reader_field.h"
#include "reader_summary.h"
#include "reader_thread.h"

#define FIRST_PLACES 256
/* Bits of sched_switch's prev_state; any of the lowest eight: it sleeps. */
#define STATE_SLEEPS 0xff
#define STATE_ENDS   0x30 /* EXIT_DEAD, EXIT_ZOMBIE */

/* A line that waits for being wanted, or for its turn. */
struct reader_around_entry {
	char *line; /* owned */
	size_t size;
	int64_t time;
	uint64_t threads[2]; /* serials of those it concerns; 0: none */
	const void *host;    /* weak */
	int64_t cpu_id;
	bool is_wanted;
};

struct reader_around_host {
	struct reader_around_host *next;
	char *name; /* owned */
	struct reader_threads threads;
};

struct trace {
	struct reader_trace *trace;	 /* owned */
	struct reader_around_host *host; /* weak */
	bool is_kernel;
};

enum class_kind {
	KIND_OTHER,
	KIND_RECORD,
	KIND_SWITCH,
	KIND_WAKEUP,
	KIND_SYSCALL_ENTRY,
	KIND_SYSCALL_EXIT,
};

struct class
{
	const bt_event_class *event_class; /* a reference is held */
	enum class_kind kind;
	const char *syscall; /* weak; its name */
};

/* What is known of the event at hand. */
struct event {
	const bt_event *event; /* weak, as all of these */
	const struct class *class;
	const struct trace *trace;
	struct reader_threads *threads;
	struct reader_cpu *cpu;	      /* NULL: not known */
	int64_t cpu_id;		      /* -1: not known */
	struct reader_thread *thread; /* whose it is; NULL: not known */
	struct reader_thread *other;  /* that it concerns, too; or NULL */
	int64_t vtid;		      /* of a userspace event; 0: not known */
	int64_t now;
};

static const char *after(const char *name, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(name, prefix, size) != 0 ? NULL : name + size;
}

static enum class_kind classify(const char *name, const char **syscall)
{
	const char *native = after(name, "compat_");

	if (after(name, "bunyan:"))
		return KIND_RECORD;
	if (!strcmp(name, "sched_switch"))
		return KIND_SWITCH;
	if (!strcmp(name, "sched_wakeup") || !strcmp(name, "sched_wakeup_new"))
		return KIND_WAKEUP;
	if (!native)
		native = name;
	*syscall = after(native, "syscall_entry_");
	if (*syscall)
		return KIND_SYSCALL_ENTRY;
	return after(native, "syscall_exit") ? KIND_SYSCALL_EXIT : KIND_OTHER;
}

static const char *class_name(const bt_event_class *event_class)
{
	const char *name = bt_event_class_get_name(event_class);

	return name ? name : "";
}

static void free_class(void *data)
{
	struct class *class = data;

	bt_event_class_put_ref(class->event_class);
	free(class);
}

static const struct class *know_class(struct reader_around *around,
				      const bt_event_class *event_class)
{
	struct class *class = reader_map_get(&around->classes, event_class);

	if (class)
		return class;
	class = calloc(1, sizeof(*class));
	if (!class)
		return NULL;
	class->event_class = event_class;
	bt_event_class_get_ref(event_class);
	class->kind = classify(class_name(event_class), &class->syscall);
	if (reader_map_add(&around->classes, event_class, class))
		return class;
	free_class(class);
	return NULL;
}

static void free_trace(void *data)
{
	struct trace *trace = data;

	reader_trace_free(trace->trace);
	free(trace);
}

static struct reader_around_host *know_host(struct reader_around *around,
					    const char *name)
{
	struct reader_around_host *host = around->hosts;

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
	host->next = around->hosts;
	around->hosts = host;
	return host;
}

static const struct trace *know_trace(struct reader_around *around,
				      const bt_stream *stream)
{
	const bt_trace *key = bt_stream_borrow_trace_const(stream);
	struct trace *trace = reader_map_get(&around->traces, key);

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
	trace->host = know_host(around, trace->trace->hostname);
	if (trace->host && reader_map_add(&around->traces, key, trace))
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

void reader_around_stream(struct reader_around *around, const bt_stream *stream)
{
	const bt_stream_class *class = bt_stream_borrow_class_const(stream);
	const bt_field_class *context =
		bt_stream_class_borrow_event_common_context_field_class_const(
			class);
	const struct trace *trace = know_trace(around, stream);
	uint64_t nr_classes = bt_stream_class_get_event_class_count(class);

	if (!trace) /* shows again with its first event */
		return;
	if (trace->is_kernel)
		around->has.kernel = true;
	for (uint64_t i = 0; i < nr_classes; i++) {
		const char *syscall;
		enum class_kind kind = classify(
			class_name(
				bt_stream_class_borrow_event_class_by_index_const(
					class, i)),
			&syscall);

		if (kind == KIND_RECORD) {
			around->has.records = true;
			around->has.vtid |= has_member(context, "vtid");
		}
		if (!trace->is_kernel)
			continue;
		around->has.threads |= kind == KIND_SWITCH ||
				       has_member(context, "tid") ||
				       has_member(context, "vtid");
		around->has.switches |= kind == KIND_SWITCH;
		around->has.wakeups |= kind == KIND_WAKEUP;
		around->has.syscalls |= kind == KIND_SYSCALL_ENTRY;
	}
}

bool reader_around_begin(struct reader_around *around)
{
	static const char how[] =
		"record with nftrace record --kernel sched_switch,sched_wakeup "
		"--syscalls '*' -- COMMAND";

	around->is_refused = true;
	if (!around->has.kernel) {
		cli_error("--around: there are no kernel events in this trace; "
			  "%s",
			  how);
		return false;
	}
	if (!around->has.threads) {
		cli_error("--around: the kernel's events don't tell of which "
			  "thread they are; %s, or add the context with lttng "
			  "add-context --kernel --type=tid",
			  how);
		return false;
	}
	if (around->has.records && !around->has.vtid) {
		cli_error("--around: the records don't tell which thread made "
			  "them; %s, or add the context with lttng "
			  "add-context --userspace --type=vtid",
			  how);
		return false;
	}
	around->is_refused = false;
	if (!around->has.switches)
		cli_error("--around: without the kernel's sched_switch, no "
			  "time running or blocked can be told; %s",
			  how);
	else if (!around->has.wakeups)
		cli_error("--around: without the kernel's sched_wakeup, time "
			  "waiting for a CPU counts as blocked, unless the "
			  "thread was preempted; %s",
			  how);
	if (!around->has.syscalls)
		cli_error("--around: no system calls were recorded; %s", how);
	return true;
}

static bool payload_integer(const struct event *event, const char *name,
			    int64_t *value)
{
	return reader_field_integer(
		bt_event_borrow_payload_field_const(event->event), name, value);
}

static bool context_integer(const struct event *event, const char *name,
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

static void find_cpu(struct event *event)
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
static void find_thread(struct reader_around *around, struct event *event)
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
				&around->nr_threads);
		return;
	}
	if (event->class->kind == KIND_SWITCH &&
	    payload_integer(event, "prev_tid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &around->nr_threads);
	else if (context_integer(event, "tid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &around->nr_threads);
	else if (event->cpu && event->cpu->is_known)
		event->thread = event->cpu->current;
	else if (context_integer(event, "vtid", &tid))
		event->thread = reader_thread_get(
			event->threads, tid, event->now, &around->nr_threads);
	if (event->thread)
		(void)context_integer(event, "vtid", &event->thread->vtid);
}

/* Another thread that the event concerns. */
static void find_other(struct reader_around *around, struct event *event)
{
	const char *name = event->class->kind == KIND_SWITCH ? "next_tid"
							     : "tid";
	int64_t tid;

	if ((event->class->kind == KIND_SWITCH ||
	     event->class->kind == KIND_WAKEUP) &&
	    payload_integer(event, name, &tid))
		event->other = reader_thread_get(
			event->threads, tid, event->now, &around->nr_threads);
}

/* Keeps the accounts. Returns false without memory. */
static bool account(const struct reader_around *around, struct event *event)
{
	int64_t state = 0;

	if (!event->trace->is_kernel) {
		if (event->thread && around->has.switches)
			reader_thread_runs(event->thread, event->now);
		return true;
	}
	switch (event->class->kind) {
	case KIND_SWITCH:
		(void)payload_integer(event, "prev_state", &state);
		if (event->cpu)
			reader_thread_switch(event->cpu, event->thread,
					     !(state & STATE_SLEEPS),
					     event->other, event->now);
		return true;
	case KIND_WAKEUP:
		if (event->other && around->has.switches)
			reader_thread_wake(event->other, event->now);
		return true;
	case KIND_SYSCALL_ENTRY:
		if (!event->thread)
			return true;
		if (around->has.switches)
			reader_thread_runs(event->thread, event->now);
		reader_thread_enter(event->thread, event->class->syscall,
				    event->now);
		return true;
	case KIND_SYSCALL_EXIT:
		if (!event->thread)
			return true;
		if (around->has.switches)
			reader_thread_runs(event->thread, event->now);
		return reader_thread_leave(event->thread, event->now);
	default:
		return true;
	}
}

/* A thread that was switched from for the last time. */
static void end_thread(struct event *event)
{
	int64_t state;

	if (event->trace->is_kernel && event->class->kind == KIND_SWITCH &&
	    event->thread && payload_integer(event, "prev_state", &state) &&
	    (state & STATE_ENDS))
		reader_thread_end(event->threads, event->thread);
}

static struct reader_around_entry *entry_at(const struct reader_around *around,
					    size_t index)
{
	return &around->entries[(around->first + index) &
				(around->nr_places - 1)];
}

static size_t entry_bytes(const struct reader_around_entry *entry)
{
	return entry->size + sizeof(*entry);
}

/* Takes out the oldest line, and brings it to the output if it is wanted. */
static void take_first(struct reader_around *around)
{
	struct reader_around_entry *entry = entry_at(around, 0);

	if (entry->is_wanted)
		reader_text_bytes(&around->records->text, entry->line,
				  entry->size);
	around->bytes -= entry_bytes(entry);
	free(entry->line);
	around->first = (around->first + 1) & (around->nr_places - 1);
	around->nr_entries--;
}

static bool grow(struct reader_around *around)
{
	size_t nr_places = around->nr_places ? around->nr_places * 2
					     : FIRST_PLACES;
	struct reader_around_entry *grown = calloc(nr_places, sizeof(*grown));

	if (!grown)
		return false;
	for (size_t i = 0; i < around->nr_entries; i++)
		grown[i] = *entry_at(around, i);
	free(around->entries);
	around->entries = grown;
	around->nr_places = nr_places;
	around->first = 0;
	return true;
}

/* Takes the lines from @begin on out of the output, to wait in the ring. */
static bool keep(struct reader_around *around, size_t begin,
		 const struct reader_around_entry *what)
{
	struct reader_text *text = &around->records->text;
	struct reader_around_entry entry = *what;

	if (text->failed)
		return false;
	if (text->size == begin)
		return true;
	if (around->nr_entries == around->nr_places && !grow(around))
		return false;
	entry.size = text->size - begin;
	entry.line = malloc(entry.size);
	if (!entry.line)
		return false;
	memcpy(entry.line, text->data + begin, entry.size);
	text->size = begin;
	*entry_at(around, around->nr_entries++) = entry;
	around->bytes += entry_bytes(&entry);
	return true;
}

/* Lets lines go that nothing can want any longer, and too many of them. */
static void let_go(struct reader_around *around)
{
	int64_t oldest;

	if (__builtin_sub_overflow(around->now, around->duration, &oldest))
		oldest = INT64_MIN;
	while (around->nr_entries && entry_at(around, 0)->time < oldest)
		take_first(around);
	while (around->bytes > around->max_bytes && around->nr_entries) {
		if (!entry_at(around, 0)->is_wanted)
			around->nr_given_up++;
		take_first(around);
	}
}

/* The time from which on lines aren't known yet to be wanted. */
static int64_t begin_of(const struct reader_around *around,
			int64_t wanted_until)
{
	int64_t begin;

	if (__builtin_sub_overflow(around->now, around->duration, &begin))
		begin = INT64_MIN;
	return begin > wanted_until ? begin : wanted_until;
}

static int64_t until(const struct reader_around *around)
{
	int64_t end;

	return __builtin_add_overflow(around->now, around->duration, &end)
		       ? INT64_MAX
		       : end;
}

/* Wants what came before a record, and what will come. */
static void want(struct reader_around *around, const struct event *event)
{
	struct reader_thread *thread = event->thread;
	struct reader_cpu *cpu = event->cpu;
	int64_t thread_begin = thread ? begin_of(around, thread->wanted_until)
				      : INT64_MAX;
	int64_t cpu_begin = cpu ? begin_of(around, cpu->wanted_until)
				: INT64_MAX;
	int64_t begin = thread_begin < cpu_begin ? thread_begin : cpu_begin;

	for (size_t i = around->nr_entries; i-- > 0;) {
		struct reader_around_entry *entry = entry_at(around, i);

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
static bool is_wanted(const struct event *event)
{
	return (event->cpu && event->cpu->wanted_until >= event->now) ||
	       (event->thread && event->thread->wanted_until >= event->now) ||
	       (event->other && event->other->wanted_until >= event->now);
}

static struct reader_around_entry describe(const struct event *event)
{
	return (struct reader_around_entry){
		.time = event->now,
		.threads = { event->thread ? event->thread->serial : 0,
			     event->other ? event->other->serial : 0 },
		.host = event->trace->host,
		.cpu_id = event->cpu_id,
		.is_wanted = is_wanted(event),
	};
}

/* Adds the line that tells where the thread's time went. */
static bool summarize(struct reader_around *around, const struct event *event)
{
	struct reader_around_entry entry = describe(event);
	struct reader_text *text = &around->records->text;
	size_t begin = text->size;
	struct reader_summary_place place = {
		.hostname = event->trace->host->name,
		.vtid = event->vtid,
		.cpu_id = event->cpu_id,
		.ns = event->now,
		.has_losses = event->thread->nr_losses !=
			      event->threads->nr_losses,
	};

	(void)payload_integer(event, "pid", &place.pid);
	reader_thread_settle(event->thread, event->now);
	reader_summary_append(text, &around->records->time, event->thread,
			      &place);
	entry.is_wanted = true;
	return keep(around, begin, &entry);
}

/* The line of a record, from @begin on, has just been written. */
static bool take_record(struct reader_around *around, const bt_message *message,
			const struct event *event, size_t begin)
{
	struct reader_text *text = &around->records->text;
	struct reader_around_entry entry;
	bool is_chosen = false;

	if (reader_records_wants(around->records, message, &around->filter) &&
	    text->size > begin &&
	    !reader_expression_evaluate(around->expression, text->data + begin,
					text->size - begin, &is_chosen))
		return false;
	if (is_chosen) {
		around->nr_matches++;
		want(around, event);
	}
	entry = describe(event);
	entry.is_wanted |= is_chosen;
	if (!keep(around, begin, &entry))
		return false;
	if (!event->thread) {
		around->nr_without_thread += is_chosen;
		return true;
	}
	if (is_chosen && !summarize(around, event))
		return false;
	reader_thread_begin(event->threads, event->thread, event->now);
	return true;
}

static bool take_event(struct reader_around *around, const bt_message *message)
{
	struct event event = {
		.event = bt_message_event_borrow_event_const(message),
		.now = around->now,
	};
	size_t begin = around->records->text.size;
	struct reader_around_entry entry;

	event.class =
		know_class(around, bt_event_borrow_class_const(event.event));
	event.trace =
		know_trace(around, bt_event_borrow_stream_const(event.event));
	if (!event.class || !event.trace)
		return false;
	event.threads = &event.trace->host->threads;
	find_cpu(&event);
	find_thread(around, &event);
	if (event.trace->is_kernel)
		find_other(around, &event);
	if (!account(around, &event) ||
	    !reader_records_message(around->records, message))
		return false;
	if (event.class->kind == KIND_RECORD && !event.trace->is_kernel)
		return take_record(around, message, &event, begin);
	entry = describe(&event);
	if (!keep(around, begin, &entry))
		return false;
	end_thread(&event);
	return true;
}

/* Losses are shown whatever is around them. */
static bool take_loss(struct reader_around *around, const bt_message *message,
		      const bt_stream *stream)
{
	const struct trace *trace = know_trace(around, stream);
	struct reader_around_entry entry = {
		.time = around->now,
		.cpu_id = -1,
		.is_wanted = true,
	};
	size_t begin = around->records->text.size;

	if (!trace)
		return false;
	entry.host = trace->host;
	trace->host->threads.nr_losses++;
	return reader_records_message(around->records, message) &&
	       keep(around, begin, &entry);
}

static void set_time(struct reader_around *around, const bt_message *message)
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

bool reader_around_message(struct reader_around *around,
			   const bt_message *message)
{
	bool is_ok = true;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_EVENT:
		set_time(around, message);
		is_ok = take_event(around, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		is_ok = take_loss(
			around, message,
			bt_message_discarded_events_borrow_stream_const(
				message));
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		is_ok = take_loss(
			around, message,
			bt_message_discarded_packets_borrow_stream_const(
				message));
		break;
	default:
		return reader_records_message(around->records, message);
	}
	let_go(around);
	return is_ok && !around->records->text.failed;
}

bool reader_around_end(struct reader_around *around)
{
	while (around->nr_entries)
		take_first(around);
	return !around->records->text.failed;
}

void reader_around_free(struct reader_around *around)
{
	while (around->nr_entries) {
		free(entry_at(around, 0)->line);
		around->first = (around->first + 1) & (around->nr_places - 1);
		around->nr_entries--;
	}
	free(around->entries);
	around->entries = NULL;
	reader_map_free(&around->classes, free_class);
	reader_map_free(&around->traces, free_trace);
	while (around->hosts) {
		struct reader_around_host *host = around->hosts;

		around->hosts = host->next;
		reader_threads_free(&host->threads);
		free(host->name);
		free(host);
	}
}
