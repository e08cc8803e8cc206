/* SPDX-License-Identifier: MIT */
/*
 * What events tell of threads: whose each one is, on which CPU, and what it
 * changes in the accounts of where their time goes (around/thread.h).
 */
#ifndef NFTRACE_NATIVE_AROUND_EVENTS_H
#define NFTRACE_NATIVE_AROUND_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <babeltrace2/babeltrace.h>

#include "reader/class.h"
#include "base/map.h"
#include "around/thread.h"

struct around_host {
	struct around_host *next;
	char *name; /* owned */
	struct around_threads threads;
};

struct around_event_trace {
	struct reader_trace *trace; /* owned */
	struct around_host *host;   /* weak */
	bool is_kernel;
};

enum around_event_kind {
	AROUND_EVENT_OTHER,
	AROUND_EVENT_RECORD,
	AROUND_EVENT_SWITCH,
	AROUND_EVENT_WAKEUP,
	AROUND_EVENT_SYSCALL_ENTRY,
	AROUND_EVENT_SYSCALL_EXIT,
};

struct around_event_class {
	const bt_event_class *event_class; /* a reference is held */
	enum around_event_kind kind;
	const char *syscall; /* weak; its name */
};

/* What is known of the event at hand. */
struct around_event {
	const bt_event *event; /* weak, as all of these */
	const struct around_event_class *class;
	const struct around_event_trace *trace;
	struct around_threads *threads;
	struct around_cpu *cpu;	      /* NULL: not known */
	int64_t cpu_id;		      /* -1: not known */
	struct around_thread *thread; /* whose it is; NULL: not known */
	struct around_thread *other;  /* that it concerns, too; or NULL */
	int64_t vtid;		      /* of a userspace event; 0: not known */
	int64_t now;
};

/* Zeroed, is ready. */
struct around_events {
	struct base_map classes; /* of event classes */
	struct base_map traces;
	struct around_host *hosts; /* owned; a list */
	uint64_t nr_threads;
	/* What there is in the streams. */
	struct {
		bool kernel;
		bool threads; /* events tell whose they are */
		bool switches;
		bool wakeups;
		bool syscalls;
		bool records;
		bool vtid; /* with records */
	} has;
};

/* Takes note, in events->has, of what a stream that is going to be read has. */
void around_events_stream(struct around_events *events,
			  const bt_stream *stream);

/* The trace of a stream. NULL when out of memory. */
const struct around_event_trace *
around_events_trace(struct around_events *events, const bt_stream *stream);

/*
 * Finds out, for an event at @now, in ns, whose it is and which others it
 * concerns, in *@event. Returns 0 or -ENOMEM.
 */
int around_events_find(struct around_events *events, const bt_event *bt_event,
		       int64_t now, struct around_event *event);

/* Keeps the accounts. Returns 0 or -ENOMEM. */
int around_event_account(const struct around_events *events,
			 struct around_event *event);

/* Forgets the event's thread if it was switched from for the last time. */
void around_event_end_thread(struct around_event *event);

/* Whether the event's payload has an integer @name; it is *@value then. */
bool around_event_integer(const struct around_event *event, const char *name,
			  int64_t *value);

void around_events_free(struct around_events *events);

#endif /* NFTRACE_NATIVE_AROUND_EVENTS_H */
