/* SPDX-License-Identifier: MIT */
/*
 * Marks: each is a file in the private run-time folder that tells what a command
 * leaves behind if it is killed. The command keeps it locked for as long as it
 * lives, so a mark that isn't locked is of a command that was killed.
 */
#ifndef NFTRACE_NATIVE_SESSION_MARK_H
#define NFTRACE_NATIVE_SESSION_MARK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <lttng/constant.h>

#include "base/temporary.h"

/* What a command leaves behind. Zeroed: nothing. */
struct session_leftover {
	char session[LTTNG_NAME_MAX]; /* "": none */
	/*
	 * When that was created, s since the epoch: another session of the same
	 * name isn't this one.
	 */
	uint64_t created;
	struct base_temporary folder;
};

/* A mark of this process. */
struct session_mark {
	int folder; /* descriptors; -1: there is no mark */
	int file;
	char name[32];
};

/*
 * Makes an empty mark, whose name begins with @kind. Prints why it can't: then
 * there is none, and the functions below do nothing.
 */
void session_mark_make(struct session_mark *mark, const char *kind);

/* Replaces what @mark tells. Prints why it can't. */
void session_mark_write(const struct session_mark *mark,
			const struct session_leftover *leftover);

/* Nothing is left behind any more. */
void session_mark_remove(struct session_mark *mark);

/*
 * Closes @mark, so that the next command finds it: something was left behind, or
 * another process keeps it locked.
 */
void session_mark_close(struct session_mark *mark);

/*
 * Calls @clean for what each killed command of @kind left to the session daemon
 * that this process uses, and removes its mark if that returns 0.
 */
void session_mark_each(const char *kind,
		       int (*clean)(const struct session_leftover *leftover));

/*
 * Notes that @name, which this process has just created, is what it leaves
 * behind. Returns 0, or -ENOENT if there is no such session.
 */
int session_leftover_set_session(struct session_leftover *leftover,
				 const char *name);

/*
 * Whether that very session exists. Where it writes to goes into @path, unless
 * that is NULL.
 */
bool session_leftover_has_session(const struct session_leftover *leftover,
				  char path[PATH_MAX]);

#endif /* NFTRACE_NATIVE_SESSION_MARK_H */
