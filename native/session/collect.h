/* SPDX-License-Identifier: MIT */
/* What can be traced on this machine, and what is. */
#ifndef NFTRACE_NATIVE_SESSION_COLLECT_H
#define NFTRACE_NATIVE_SESSION_COLLECT_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include <lttng/lttng.h>

#define CLI_NR_LEVELS 6
/* Most daemons there are: root's and the user's. */
#define CLI_NR_DAEMONS 2

/* trace to fatal. */
extern const char *const cli_level_names[CLI_NR_LEVELS];

struct cli_daemon_status {
	const char *owner;     /* "root" or "user" */
	char socket[PATH_MAX]; /* that commands go through; "": no place */
	bool answers;
	bool used;     /* by the commands of nftrace and of lttng */
	pid_t pid;     /* 0: unknown */
	char *why_not; /* owned; a sentence without its full stop; or NULL */
	char *version; /* owned; NULL: unknown */
};

/* An enabled rule of a session that is about bunyan:* events. */
struct cli_rule {
	char *event;   /* owned; a pattern */
	char *channel; /* owned */
	char *filter;  /* owned; NULL: none */
	bool enabled;
	bool levels[CLI_NR_LEVELS]; /* those it lets through */
};

struct cli_session_status {
	char name[LTTNG_NAME_MAX];
	char path[PATH_MAX];
	bool active;
	bool snapshot;
	bool live;
	struct cli_rule *rules; /* owned */
	size_t nr_rules;
};

/* A process that offers bunyan:* events. */
struct cli_process {
	pid_t pid;
	char name[32]; /* "": unknown, as in another PID namespace */
	bool levels[CLI_NR_LEVELS]; /* those it offers */
};

struct cli_status {
	struct cli_daemon_status daemons[CLI_NR_DAEMONS];
	size_t nr_daemons; /* for root there is only its own */
	const char
		*no_ust; /* why this process has no LTTng-UST; NULL: it has */
	int error; /* of lttng_list_sessions() or lttng_list_tracepoints() */
	struct cli_session_status *sessions; /* owned; those of user space */
	size_t nr_sessions;
	struct cli_process *processes; /* owned */
	size_t nr_processes;
};

/* Collects it all. Ends the process when there is no memory. */
void cli_status_collect(struct cli_status *status);

/* Whether a session records a level now. */
bool cli_session_has_level(const struct cli_session_status *session,
			   size_t level);

/* Frees what it owns. */
void cli_status_free(struct cli_status *status);

#endif /* NFTRACE_NATIVE_SESSION_COLLECT_H */
