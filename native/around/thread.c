// SPDX-License-Identifier: MIT
/* The threads of a host; see around/thread.h. */
#include "around/thread.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 65536

static int compare(const void *left, const void *right)
{
	const struct around_thread *one = left;
	const struct around_thread *other = right;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

struct around_thread *around_thread_get(struct around_threads *threads,
					int64_t tid, int64_t now,
					uint64_t *serial)
{
	const struct around_thread key = { .tid = tid };
	struct around_thread **place;
	struct around_thread *thread;

	if (!tid)
		return NULL;
	place = tfind(&key, &threads->tree, compare);
	if (place)
		return *place;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	*thread = (struct around_thread){
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

struct around_cpu *around_cpu_get(struct around_threads *threads, int64_t id)
{
	struct around_cpu *grown;
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
			(struct around_cpu){ .wanted_until = INT64_MIN };
	return &grown[id];
}

/* What twalk_r() looks for. */
struct search {
	int64_t vtid;
	struct around_thread *found;
};

static void match_vtid(const void *place, VISIT visit, void *data)
{
	struct around_thread *thread = *(struct around_thread *const *)place;
	struct search *search = data;

	if ((visit == postorder || visit == leaf) && !search->found &&
	    thread->vtid == search->vtid)
		search->found = thread;
}

struct around_thread *around_thread_find(const struct around_threads *threads,
					 const struct around_cpu *cpu,
					 int64_t vtid)
{
	const struct around_thread key = { .tid = vtid };
	struct search search = { .vtid = vtid };
	struct around_thread *current = cpu ? cpu->current : NULL;
	struct around_thread **place;

	if (current && (current->vtid ? current->vtid : current->tid) == vtid)
		return current;
	place = tfind(&key, &threads->tree, compare);
	if (place && (!(*place)->vtid || (*place)->vtid == vtid))
		return *place;
	/* It has another number outside of its namespace. */
	twalk_r(threads->tree, match_vtid, &search);
	return search.found;
}

/* Adds the time since the last change to @state's. */
static void account(struct around_thread *thread, enum around_state state,
		    int64_t now)
{
	thread->times[state] += now - thread->changed;
	thread->changed = now;
}

/*
 * Changes the state. What the time before is counted as takes a state that the
 * event can follow; else events are missing.
 */
static void change(struct around_thread *thread, bool can_follow,
		   enum around_state state, int64_t now)
{
	account(thread, can_follow ? thread->state : AROUND_STATE_UNKNOWN, now);
	thread->state = state;
}

void around_thread_switch(struct around_cpu *cpu,
			  struct around_thread *previous, bool can_run,
			  struct around_thread *next, int64_t now)
{
	if (previous)
		change(previous, previous->state == AROUND_STATE_RUNNING,
		       can_run ? AROUND_STATE_WAITING : AROUND_STATE_BLOCKED,
		       now);
	if (next)
		change(next, next->state != AROUND_STATE_RUNNING,
		       AROUND_STATE_RUNNING, now);
	cpu->current = next;
	cpu->is_known = true;
}

void around_thread_wake(struct around_thread *thread, int64_t now)
{
	/* One that doesn't sleep is often woken, too. */
	if (thread->state == AROUND_STATE_BLOCKED ||
	    thread->state == AROUND_STATE_UNKNOWN)
		change(thread, true, AROUND_STATE_WAITING, now);
}

void around_thread_runs(struct around_thread *thread, int64_t now)
{
	if (thread->state != AROUND_STATE_RUNNING)
		change(thread, false, AROUND_STATE_RUNNING, now);
}

void around_thread_enter(struct around_thread *thread, const char *syscall,
			 int64_t now)
{
	thread->syscall = syscall;
	thread->syscall_begin = now;
}

int around_thread_leave(struct around_thread *thread, int64_t now)
{
	const char *name = thread->syscall;
	struct around_syscall *syscall;

	if (!name) /* it was entered before the trace began, or in a gap */
		return 0;
	thread->syscall = NULL;
	for (size_t i = 0; i < thread->nr_syscalls; i++) {
		syscall = &thread->syscalls[i];
		if (strcmp(syscall->name, name) != 0)
			continue;
		syscall->ns += now - thread->syscall_begin;
		syscall->count++;
		return 0;
	}
	syscall = reallocarray(thread->syscalls, thread->nr_syscalls + 1,
			       sizeof(*syscall));
	if (!syscall)
		return -ENOMEM;
	thread->syscalls = syscall;
	syscall[thread->nr_syscalls++] = (struct around_syscall){
		.name = name,
		.ns = now - thread->syscall_begin,
		.count = 1,
	};
	return 0;
}

void around_thread_settle(struct around_thread *thread, int64_t now)
{
	account(thread, thread->state, now);
}

void around_thread_begin(struct around_threads *threads,
			 struct around_thread *thread, int64_t now)
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
	struct around_thread *thread = data;

	free(thread->syscalls);
	free(thread);
}

void around_thread_end(struct around_threads *threads,
		       struct around_thread *thread)
{
	for (size_t i = 0; i < threads->nr_cpus; i++)
		if (threads->cpus[i].current == thread)
			threads->cpus[i].current = NULL;
	(void)tdelete(thread, &threads->tree, compare);
	free_thread(thread);
}

void around_threads_free(struct around_threads *threads)
{
	tdestroy(threads->tree, free_thread);
	free(threads->cpus);
	*threads = (struct around_threads){ 0 };
}
