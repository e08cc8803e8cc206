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

struct reader_host {
	struct reader_host *next;
	char *name; /* owned */
	struct reader_threads threads;
};

struct reader_event_trace {
	struct reader_trace *trace; /* owned */
	struct reader_host *host;   /* weak */
	bool is_kernel;
};

enum reader_event_kind {
	READER_EVENT_OTHER,
	READER_EVENT_RECORD,
	READER_EVENT_SWITCH,
	READER_EVENT_WAKEUP,
	READER_EVENT_SYSCALL_ENTRY,
	READER_EVENT_SYSCALL_EXIT,
};

struct reader_event_class {
	const bt_event_class *event_class; /* a reference is held */
	enum reader_event_kind kind;
	const char *syscall; /* weak; its name */
};

/* What is known of the event at hand. */
struct reader_event {
	const bt_event *event; /* weak, as all of these */
	const struct reader_event_class *class;
	const struct reader_event_trace *trace;
	struct reader_threads *threads;
	struct reader_cpu *cpu;	      /* NULL: not known */
	int64_t cpu_id;		      /* -1: not known */
	struct reader_thread *thread; /* whose it is; NULL: not known */
	struct reader_thread *other;  /* that it concerns, too; or NULL */
	int64_t vtid;		      /* of a userspace event; 0: not known */
	int64_t now;
};

/* Zeroed, is ready. */
struct reader_events {
	struct reader_map classes; /* of event classes */
	struct reader_map traces;
	struct reader_host *hosts; /* owned; a list */
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
void reader_events_stream(struct reader_events *events,
			  const bt_stream *stream);

/* The trace of a stream. NULL without memory. */
const struct reader_event_trace *
reader_events_trace(struct reader_events *events, const bt_stream *stream);

/*
 * Finds out, for an event at @now, in ns, whose it is and which others it
 * concerns, in *@event. Returns false without memory.
 */
bool reader_events_find(struct reader_events *events, const bt_event *bt_event,
			int64_t now, struct reader_event *event);

/* Keeps the accounts. Returns false without memory. */
bool reader_event_account(const struct reader_events *events,
			  struct reader_event *event);

/* Forgets the event's thread if it was switched from for the last time. */
void reader_event_end_thread(struct reader_event *event);

/* An integer of the event's payload; false if there is none. */
bool reader_event_integer(const struct reader_event *event, const char *name,
			  int64_t *value);

void reader_events_free(struct reader_events *events);

#endif /* NFTRACE_NATIVE_AROUND_EVENTS_H */
