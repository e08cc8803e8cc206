/* SPDX-License-Identifier: MIT */
/* Starts processes: other programs, and functions of ours beside this process. */
#ifndef NFTRACE_NATIVE_BASE_SPAWN_H
#define NFTRACE_NATIVE_BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* In place of a descriptor: /dev/null. */
#define BASE_SPAWN_NULL (-1)
/* What a shell adds to the number of the signal that has ended a program. */
#define BASE_SPAWN_SIGNAL 128

struct base_spawn {
	/* stdin, stdout, stderr: our own one, another one above 2, or BASE_SPAWN_NULL. */
	int stdio[3];
	bool has_session; /* of its own: no terminal's signals reach it */
	/* It is killed when the thread that starts it ends, however that comes. */
	bool ends_with_us;
};

/*
 * Starts the program @argv[0], which is looked for in $PATH. It handles signals as a
 * shell's commands do: all by default, none blocked. Returns its process, for which
 * the caller has to wait; or a negative errno, -ENOENT if there is no such program.
 */
pid_t base_spawn(char *const argv[], const struct base_spawn *how);

/*
 * Waits for the end of a process. Returns what a shell would: its exit status, or
 * BASE_SPAWN_SIGNAL + the signal that has ended it; or a negative errno.
 */
int base_spawn_wait(pid_t pid);

/* The same of what waitpid() has given. */
int base_spawn_status(int status);

/*
 * Runs @run with @data in a process, and a session, of its own: a copy of this one,
 * which then ends with the exit status that @run returns. Returns the process or a
 * negative errno.
 */
pid_t base_spawn_function(int (*run)(void *data), void *data);

/* Turns stdin and stdout, and stderr if @is_silent, into /dev/null. */
void base_spawn_leave_terminal(bool is_silent);

#endif /* NFTRACE_NATIVE_BASE_SPAWN_H */
