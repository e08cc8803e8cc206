// SPDX-License-Identifier: MIT
/* The threads of a host; see around/thread.h. */
#include "around/thread.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 65536

static int compare(const void *left, const void *right)
{
	const struct reader_thread *one = left;
	const struct reader_thread *other = right;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

struct reader_thread *reader_thread_get(struct reader_threads *threads,
					int64_t tid, int64_t now,
					uint64_t *serial)
{
	const struct reader_thread key = { .tid = tid };
	struct reader_thread **place;
	struct reader_thread *thread;

	if (!tid)
		return NULL;
	place = tfind(&key, &threads->tree, compare);
	if (place)
		return *place;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	*thread = (struct reader_thread){
		.tid = tid,
		.serial = ++*serial,
		.wanted_until = INT64_MIN,
		.begin = now,
		.changed = now,
		.nr_losses = threads->nr_losses,
	};
	if (tsearch(thread, &threads->tree, compare))
		return thread;
	free(thread);
	return NULL;
}

struct reader_cpu *reader_cpu_get(struct reader_threads *threads, int64_t id)
{
	struct reader_cpu *grown;
	size_t nr_cpus = threads->nr_cpus;

	if (id < 0 || id >= MAX_CPUS)
		return NULL;
	if ((size_t)id < nr_cpus)
		return &threads->cpus[id];
	grown = reallocarray(threads->cpus, (size_t)id + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	threads->cpus = grown;
	threads->nr_cpus = (size_t)id + 1;
	for (; nr_cpus < threads->nr_cpus; nr_cpus++)
		grown[nr_cpus] =
			(struct reader_cpu){ .wanted_until = INT64_MIN };
	return &grown[id];
}

/* What twalk_r() looks for. */
struct search {
	int64_t vtid;
	struct reader_thread *found;
};

static void look(const void *place, VISIT visit, void *data)
{
	struct reader_thread *thread = *(struct reader_thread *const *)place;
	struct search *search = data;

	if ((visit == postorder || visit == leaf) && !search->found &&
	    thread->vtid == search->vtid)
		search->found = thread;
}

struct reader_thread *reader_thread_find(const struct reader_threads *threads,
					 const struct reader_cpu *cpu,
					 int64_t vtid)
{
	const struct reader_thread key = { .tid = vtid };
	struct search search = { .vtid = vtid };
	struct reader_thread *current = cpu ? cpu->current : NULL;
	struct reader_thread **place;

	if (current && (current->vtid ? current->vtid : current->tid) == vtid)
		return current;
	place = tfind(&key, &threads->tree, compare);
	if (place && (!(*place)->vtid || (*place)->vtid == vtid))
		return *place;
	/* It has another number outside of its namespace. */
	twalk_r(threads->tree, look, &search);
	return search.found;
}

/* Adds the time since the last change to @state's. */
static void account(struct reader_thread *thread, enum reader_state state,
		    int64_t now)
{
	thread->times[state] += now - thread->changed;
	thread->changed = now;
}

/*
 * Changes the state. What the time before is counted as takes a state that the
 * event can follow; else events are missing.
 */
static void change(struct reader_thread *thread, bool can_follow,
		   enum reader_state state, int64_t now)
{
	account(thread, can_follow ? thread->state : READER_STATE_UNKNOWN, now);
	thread->state = state;
}

void reader_thread_switch(struct reader_cpu *cpu,
			  struct reader_thread *previous, bool can_run,
			  struct reader_thread *next, int64_t now)
{
	if (previous)
		change(previous, previous->state == READER_STATE_RUNNING,
		       can_run ? READER_STATE_WAITING : READER_STATE_BLOCKED,
		       now);
	if (next)
		change(next, next->state != READER_STATE_RUNNING,
		       READER_STATE_RUNNING, now);
	cpu->current = next;
	cpu->is_known = true;
}

void reader_thread_wake(struct reader_thread *thread, int64_t now)
{
	/* One that doesn't sleep is often woken, too. */
	if (thread->state == READER_STATE_BLOCKED ||
	    thread->state == READER_STATE_UNKNOWN)
		change(thread, true, READER_STATE_WAITING, now);
}

void reader_thread_runs(struct reader_thread *thread, int64_t now)
{
	if (thread->state != READER_STATE_RUNNING)
		change(thread, false, READER_STATE_RUNNING, now);
}

void reader_thread_enter(struct reader_thread *thread, const char *syscall,
			 int64_t now)
{
	thread->syscall = syscall;
	thread->syscall_begin = now;
}

bool reader_thread_leave(struct reader_thread *thread, int64_t now)
{
	const char *name = thread->syscall;
	struct reader_syscall *syscall;

	if (!name) /* it was entered before the trace began, or in a gap */
		return true;
	thread->syscall = NULL;
	for (size_t i = 0; i < thread->nr_syscalls; i++) {
		syscall = &thread->syscalls[i];
		if (strcmp(syscall->name, name) != 0)
			continue;
		syscall->ns += now - thread->syscall_begin;
		syscall->count++;
		return true;
	}
	syscall = reallocarray(thread->syscalls, thread->nr_syscalls + 1,
			       sizeof(*syscall));
	if (!syscall)
		return false;
	thread->syscalls = syscall;
	syscall[thread->nr_syscalls++] = (struct reader_syscall){
		.name = name,
		.ns = now - thread->syscall_begin,
		.count = 1,
	};
	return true;
}

void reader_thread_settle(struct reader_thread *thread, int64_t now)
{
	account(thread, thread->state, now);
}

void reader_thread_begin(struct reader_threads *threads,
			 struct reader_thread *thread, int64_t now)
{
	memset(thread->times, 0, sizeof(thread->times));
	thread->begin = now;
	thread->changed = now;
	thread->nr_syscalls = 0;
	thread->syscall = NULL;
	thread->nr_losses = threads->nr_losses;
	thread->has_logged = true;
}

static void free_thread(void *data)
{
	struct reader_thread *thread = data;

	free(thread->syscalls);
	free(thread);
}

void reader_thread_end(struct reader_threads *threads,
		       struct reader_thread *thread)
{
	for (size_t i = 0; i < threads->nr_cpus; i++)
		if (threads->cpus[i].current == thread)
			threads->cpus[i].current = NULL;
	(void)tdelete(thread, &threads->tree, compare);
	free_thread(thread);
}

void reader_threads_free(struct reader_threads *threads)
{
	tdestroy(threads->tree, free_thread);
	free(threads->cpus);
	*threads = (struct reader_threads){ 0 };
}
