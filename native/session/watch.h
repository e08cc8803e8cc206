/* SPDX-License-Identifier: MIT */
/* Snapshots that take themselves: on bunyan:fatal, not more than one a minute. */
#ifndef NFTRACE_NATIVE_SESSION_WATCH_H
#define NFTRACE_NATIVE_SESSION_WATCH_H

/*
 * Lets the session daemon save a snapshot of @session on the first fatal record
 * that @filter (NULL: any) accepts, and again on the first one that comes at
 * least @seconds after. The daemon itself saves, through a trigger; a process
 * of ours, which this starts in the background, renews the trigger and ends
 * with the session. Returns 0, or a negative errno
 * after saying what is wrong.
 */
int session_watch_start(const char *session, const char *filter,
			unsigned int seconds);

/*
 * Ends that for a session; does nothing where it wasn't. Only triggers and processes
 * of this user are touched.
 */
void session_watch_stop(const char *session);

#endif /* NFTRACE_NATIVE_SESSION_WATCH_H */
