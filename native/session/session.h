/* SPDX-License-Identifier: MIT */
/*
 * Recording sessions through liblttng-ctl. Each function that can fail says on
 * stderr what went wrong and what to do about it.
 */
#ifndef NFTRACE_NATIVE_SESSION_SESSION_H
#define NFTRACE_NATIVE_SESSION_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <lttng/lttng.h>

#include "session/buffers.h"

/* The channel of ours in each domain. */
#define SESSION_CHANNEL "nftrace"

/* What a session records. */
struct session_plan {
	enum lttng_loglevel level; /* this one and the more severe ones */
	const char *filter;	   /* weak; NULL: every record */
	bool all;	      /* other programs' userspace events as well */
	const char *kernel;   /* weak; tracepoints, with commas; NULL: none */
	const char *syscalls; /* weak; the same */
	struct session_buffers buffers;
	bool overwrite; /* full buffers lose the oldest; else the newest */
	bool blocking;	/* full buffers make the application wait */
};

/* What was lost for want of buffer space. */
struct session_losses {
	uint64_t events;	/* of userspace */
	uint64_t kernel_events; /* of the kernel */
	uint64_t packets; /* sub-buffers overwritten before they were read */
	bool is_unsure;	  /* LTTng's count of some channel makes no sense */
};

/* Says that @doing failed, why (an LTTng error code, of either sign), and how
 * to help it. Returns -EIO, what an error of LTTng is for our callers. */
int session_error(const char *doing, int code);

/* The local time as YYYYmmdd-HHMMSS, for names. */
void session_stamp(char stamp[static 16]);

/*
 * Creates a session; @doing is that, for an error. Takes @descriptor, which is NULL
 * if liblttng-ctl would not make it. Returns 0 or -EIO.
 */
int session_create(struct lttng_session_descriptor *descriptor,
		   const char *doing);

/*
 * Enables @plan's events, with the contexts vpid, vtid and procname, for the
 * kernel's tid as well, in an existing session. Returns 0 or -EIO.
 */
int session_enable(const char *session, const struct session_plan *plan);

/* Where a session writes: a path or a URL. Returns 0, or -ENOENT without a word. */
int session_path(const char *session, char path[static PATH_MAX]);

/* Whether there is a session of that name. */
bool session_exists(const char *session);

/*
 * Whether a session is one that `nftrace snapshot start` makes: it takes snapshots and
 * has the channel of ours alone. A name proves nothing: anyone who may use the session
 * daemon can take any.
 */
bool session_is_recorder(const char *session);

/* Adds up what a session's channels have lost so far. Returns 0 or -EIO. */
int session_losses(const char *session, struct session_losses *losses);

/*
 * Destroys a session; its trace is complete afterwards. Returns 0, -EIO, or
 * -ETIMEDOUT when that takes longer than anything explains: where a process was killed in
 * the middle of an event, LTTng 2.13 waits for that event for ever.
 */
int session_destroy(const char *session);

#endif /* NFTRACE_NATIVE_SESSION_SESSION_H */
