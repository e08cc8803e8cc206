/* SPDX-License-Identifier: MIT */
/* The LTTng session daemon: finding it, starting it. */
#ifndef NFTRACE_NATIVE_SESSION_DAEMON_H
#define NFTRACE_NATIVE_SESSION_DAEMON_H

#include <sys/types.h>

/*
 * Sees to it that a session daemon answers: the one there is, else one that it
 * starts as `lttng create` does ($LTTNG_SESSIOND_PATH, or lttng-sessiond from
 * the PATH) and that outlives this process. Returns 0, or a negative errno
 * after saying what is wrong.
 */
int session_daemon_ensure(void);

/*
 * The version of a session daemon, by asking its program (or, if process @pid
 * cannot be looked at, the one that session_daemon_ensure() would start). Returns a
 * string that the caller frees, as "2.13.9", or NULL.
 */
char *session_daemon_version(pid_t pid);

#endif /* NFTRACE_NATIVE_SESSION_DAEMON_H */
