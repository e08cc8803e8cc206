/* SPDX-License-Identifier: MIT */
/* What can be traced on this machine, and what is. */
#ifndef NFTRACE_NATIVE_SESSION_COLLECT_H
#define NFTRACE_NATIVE_SESSION_COLLECT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <lttng/lttng.h>
#include <nft_bunyan.h>

/* Most daemons there are: root's and the user's. */
#define SESSION_NR_DAEMONS 2

struct session_daemon_status {
	const char *owner;     /* "root" or "user" */
	char socket[PATH_MAX]; /* that commands go through; "": no place */
	bool answers;
	bool used;     /* by the commands of nftrace and of lttng */
	pid_t pid;     /* 0: unknown */
	char *why_not; /* owned; a sentence without its full stop; or NULL */
	char *version; /* owned; NULL: unknown */
};

/* An enabled rule of a session that is about bunyan:* events. */
struct session_rule {
	char *event;   /* owned; a pattern */
	char *channel; /* owned */
	char *filter;  /* owned; NULL: none */
	bool enabled;
	bool levels[NFT_BUNYAN_NR_LEVELS]; /* those it lets through */
};

struct session_status {
	char name[LTTNG_NAME_MAX];
	char path[PATH_MAX];
	bool active;
	bool snapshot;
	bool live;
	struct session_rule *rules; /* owned */
	size_t nr_rules;
};

/* A process that offers bunyan:* events. */
struct session_process {
	pid_t pid;
	char name[32]; /* "": unknown, as in another PID namespace */
	bool levels[NFT_BUNYAN_NR_LEVELS]; /* those it offers */
};

struct session_overview {
	struct session_daemon_status daemons[SESSION_NR_DAEMONS];
	size_t nr_daemons; /* for root there is only its own */
	const char
		*no_ust; /* why this process has no LTTng-UST; NULL: it has */
	int error; /* of lttng_list_sessions() or lttng_list_tracepoints() */
	struct session_status *sessions; /* owned; those of user space */
	size_t nr_sessions;
	struct session_process *processes; /* owned */
	size_t nr_processes;
};

/*
 * Collects it all. Returns 0 or -ENOMEM; @status is to be freed in either case. What
 * the daemon refuses to tell is no error of this function's: see .error.
 */
int session_status_collect(struct session_overview *status);

/* Whether a session records a level now. */
bool session_has_level(const struct session_status *session, size_t level);

/* Frees what it owns. */
void session_status_free(struct session_overview *status);

#endif /* NFTRACE_NATIVE_SESSION_COLLECT_H */
