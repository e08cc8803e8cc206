/* SPDX-License-Identifier: MIT */
/*
 * The threads of a host, and where their time went: on a CPU, waiting for one,
 * blocked, and in which system calls; all of it since a thread's last record.
 * Times are in ns since the epoch, and never go back.
 */
#ifndef NFTRACE_NATIVE_AROUND_THREAD_H
#define NFTRACE_NATIVE_AROUND_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum around_state {
	AROUND_STATE_UNKNOWN, /* the trace doesn't tell */
	AROUND_STATE_RUNNING,
	AROUND_STATE_WAITING, /* could run, has no CPU */
	AROUND_STATE_BLOCKED,
	AROUND_NR_STATES,
};

/* The time in all calls of one name. */
struct around_syscall {
	const char *name; /* weak; must outlive the thread */
	int64_t ns;
	uint64_t count;
};

struct around_thread {
	int64_t tid;	      /* the kernel's; the key */
	int64_t vtid;	      /* in its own PID namespace; 0: not known */
	uint64_t serial;      /* another one for each thread of the read */
	int64_t wanted_until; /* its events up to then are wanted */
	bool has_logged;      /* the account began with a record */

	/* The account: */
	int64_t begin;
	int64_t times[AROUND_NR_STATES]; /* up to changed; ns */
	struct around_syscall *syscalls; /* owned */
	size_t nr_syscalls;
	uint64_t nr_losses; /* of the host, at its beginning */

	enum around_state state;
	int64_t changed;     /* when state did */
	const char *syscall; /* weak; the one that it is in, or NULL */
	int64_t syscall_begin;
};

struct around_cpu {
	struct around_thread *current; /* weak; NULL: idle, or not known */
	int64_t wanted_until;
	bool is_known; /* current is */
};

/* Zeroed: nothing is known. */
struct around_threads {
	void *tree; /* of tsearch(3): struct around_thread, owned, by tid */
	struct around_cpu *cpus; /* owned */
	size_t nr_cpus;
	uint64_t nr_losses; /* gaps in its traces, so far */
};

/*
 * The thread @tid, new if it isn't known; @serial counts those. NULL without
 * memory, and for tid 0, which is each CPU's idle thread.
 */
struct around_thread *around_thread_get(struct around_threads *threads,
					int64_t tid, int64_t now,
					uint64_t *serial);

/* A CPU; NULL when out of memory, and if there can't be such a one. */
struct around_cpu *around_cpu_get(struct around_threads *threads, int64_t id);

/*
 * The thread that is called @vtid in its own PID namespace and has just left an
 * event on @cpu (which may be NULL): the one that runs there, if it fits, else
 * one of that number. NULL if none is known.
 */
struct around_thread *around_thread_find(const struct around_threads *threads,
					 const struct around_cpu *cpu,
					 int64_t vtid);

/* sched_switch; @previous and @next may be NULL. */
void around_thread_switch(struct around_cpu *cpu,
			  struct around_thread *previous, bool can_run,
			  struct around_thread *next, int64_t now);

/* sched_wakeup */
void around_thread_wake(struct around_thread *thread, int64_t now);

/* It runs, as an event of its own tells. */
void around_thread_runs(struct around_thread *thread, int64_t now);

void around_thread_enter(struct around_thread *thread, const char *syscall,
			 int64_t now);
/* Returns 0 or -ENOMEM. */
int around_thread_leave(struct around_thread *thread, int64_t now);

/* Brings the account up to date. */
void around_thread_settle(struct around_thread *thread, int64_t now);

/* Begins a new account, with a record. */
void around_thread_begin(struct around_threads *threads,
			 struct around_thread *thread, int64_t now);

/* It has ended; frees it. */
void around_thread_end(struct around_threads *threads,
		       struct around_thread *thread);

void around_threads_free(struct around_threads *threads);

#endif /* NFTRACE_NATIVE_AROUND_THREAD_H */
