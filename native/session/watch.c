// SPDX-License-Identifier: MIT
/* Snapshots on fatal records; see session/watch.h. */
#include "session/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <lttng/lttng.h>

#include "base/level.h"
#include "base/report.h"
#include "base/spawn.h"
#include "session/session.h"

/* "SESSION on fatal PID": the watching process's trigger. */
#define NAME_FORMAT "%s on fatal %d"
#define NAME_SIZE   (LTTNG_NAME_MAX + 32)

/* What the kernel calls the watching process; at most 15 bytes. */
#define PROCESS_NAME "nftrace-watch"

/* A trigger fires once, and is then made anew. */
#define ONCE 1

struct watch {
	const char *session; /* weak, as the next one */
	const char *filter;  /* NULL: none */
	unsigned int seconds;
	int ends[2]; /* of a pipe through which it tells how it began */
	char name[NAME_SIZE];
	struct lttng_trigger *trigger;		    /* owned */
	struct lttng_notification_channel *channel; /* owned */
};

static struct lttng_condition *make_condition(const char *filter)
{
	struct lttng_event_rule *rule =
		lttng_event_rule_user_tracepoint_create();
	struct lttng_condition *condition = NULL;

	if (rule &&
	    lttng_event_rule_user_tracepoint_set_name_pattern(
		    rule, base_levels[NFT_BUNYAN_FATAL].event) ==
		    LTTNG_EVENT_RULE_STATUS_OK &&
	    (!filter || lttng_event_rule_user_tracepoint_set_filter(
				rule, filter) == LTTNG_EVENT_RULE_STATUS_OK))
		condition = lttng_condition_event_rule_matches_create(rule);
	lttng_event_rule_destroy(rule);
	return condition;
}

/* Saves a snapshot and tells us of it, both once. */
static struct lttng_action *make_action(const char *session)
{
	struct lttng_rate_policy *once =
		lttng_rate_policy_once_after_n_create(ONCE);
	struct lttng_action *snapshot = lttng_action_snapshot_session_create();
	struct lttng_action *notify = lttng_action_notify_create();
	struct lttng_action *list = lttng_action_list_create();

	if (!once || !snapshot || !notify || !list ||
	    lttng_action_snapshot_session_set_session_name(snapshot, session) !=
		    LTTNG_ACTION_STATUS_OK ||
	    lttng_action_snapshot_session_set_rate_policy(snapshot, once) !=
		    LTTNG_ACTION_STATUS_OK ||
	    lttng_action_notify_set_rate_policy(notify, once) !=
		    LTTNG_ACTION_STATUS_OK ||
	    lttng_action_list_add_action(list, snapshot) !=
		    LTTNG_ACTION_STATUS_OK ||
	    lttng_action_list_add_action(list, notify) !=
		    LTTNG_ACTION_STATUS_OK) {
		lttng_action_destroy(list);
		list = NULL;
	}
	lttng_action_destroy(notify);
	lttng_action_destroy(snapshot);
	lttng_rate_policy_destroy(once);
	return list;
}

/* Undoes begin(). */
static void end(struct watch *watch)
{
	if (watch->trigger)
		(void)lttng_unregister_trigger(watch->trigger);
	lttng_notification_channel_destroy(watch->channel);
	lttng_trigger_destroy(watch->trigger);
	watch->channel = NULL;
	watch->trigger = NULL;
}

/* Returns 0 or an error code of LTTng. */
static int begin(struct watch *watch)
{
	struct lttng_condition *condition = make_condition(watch->filter);
	struct lttng_action *action = make_action(watch->session);
	int ret = LTTNG_ERR_NOMEM;

	if (condition && action)
		watch->trigger = lttng_trigger_create(condition, action);
	if (watch->trigger) {
		watch->channel = lttng_notification_channel_create(
			lttng_session_daemon_notification_endpoint);
		ret = (int)lttng_register_trigger_with_name(watch->trigger,
							    watch->name);
		if (ret == LTTNG_OK &&
		    (!watch->channel ||
		     lttng_notification_channel_subscribe(watch->channel,
							  condition) !=
			     LTTNG_NOTIFICATION_CHANNEL_STATUS_OK))
			ret = LTTNG_ERR_UNK;
	}
	/* The trigger has references of its own. */
	lttng_action_destroy(action);
	lttng_condition_destroy(condition);
	if (ret == LTTNG_OK)
		return 0;
	end(watch);
	return ret;
}

static bool wait_for_fatal(struct watch *watch)
{
	struct lttng_notification *notification = NULL;
	enum lttng_notification_channel_status status;

	do {
		status = lttng_notification_channel_get_next_notification(
			watch->channel, &notification);
		lttng_notification_destroy(notification);
		notification = NULL;
	} while (
		status == LTTNG_NOTIFICATION_CHANNEL_STATUS_INTERRUPTED ||
		status ==
			LTTNG_NOTIFICATION_CHANNEL_STATUS_NOTIFICATIONS_DROPPED);
	return status == LTTNG_NOTIFICATION_CHANNEL_STATUS_OK;
}

/*
 * Until the daemon or the session has gone. A trigger that has fired its once
 * can't be registered again; a new one takes its place.
 */
static void watch_on(struct watch *watch)
{
	while (wait_for_fatal(watch)) {
		(void)sleep(watch->seconds);
		end(watch);
		if (!session_is_recorder(watch->session) || begin(watch))
			return;
	}
	end(watch);
}

/* In the background; tells how it began, as an int. */
static int run(void *data)
{
	struct watch *watch = data;
	int ret = LTTNG_ERR_UNK;

	(void)snprintf(watch->name, sizeof(watch->name), NAME_FORMAT,
		       watch->session, (int)getpid());
	if (!chdir("/") && !prctl(PR_SET_NAME, PROCESS_NAME))
		ret = begin(watch);
	(void)close(watch->ends[0]);
	if (write(watch->ends[1], &ret, sizeof(ret)) != sizeof(ret) || ret)
		return 0;
	(void)close(watch->ends[1]);
	base_spawn_leave_terminal(true);
	watch_on(watch);
	return 0;
}

int session_watch_start(const char *session, const char *filter,
			unsigned int seconds)
{
	struct watch watch = {
		.session = session,
		.filter = filter,
		.seconds = seconds,
	};
	int ret = LTTNG_ERR_UNK;
	pid_t pid;

	if (pipe2(watch.ends, O_CLOEXEC)) {
		ret = -errno;
		base_report("cannot watch for fatal records: %s",
			    strerror(-ret));
		return ret;
	}
	pid = base_spawn_function(run, &watch);
	(void)close(watch.ends[1]);
	if (pid < 0 || read(watch.ends[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = LTTNG_ERR_UNK;
	(void)close(watch.ends[0]);
	if (!ret)
		return 0;
	return session_error("cannot watch for fatal records", ret);
}

/* The process in a trigger's name, if that is one of @session's; else 0. */
static pid_t watcher(const char *name, const char *session)
{
	size_t size = strlen(session);
	int pid;
	char end;

	if (strncmp(name, session, size) != 0 ||
	    sscanf(name + size, " on fatal %d%c", &pid, &end) != 1)
		return 0;
	return pid > 0 ? pid : 0;
}

/* Whether this user has registered a trigger: another one's name proves nothing. */
static bool is_mine(const struct lttng_trigger *trigger)
{
	uid_t owner;

	return lttng_trigger_get_owner_uid(trigger, &owner) ==
		       LTTNG_TRIGGER_STATUS_OK &&
	       owner == geteuid();
}

/* Whether a process is this user's, and calls itself a watching one. */
static bool is_watching(pid_t pid)
{
	char path[32], name[32] = "";
	struct stat status;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fstat(fileno(file), &status) || status.st_uid != geteuid() ||
	    !fgets(name, sizeof(name), file))
		name[0] = '\0';
	(void)fclose(file);
	return !strcmp(name, PROCESS_NAME "\n");
}

/*
 * Ends process @pid if it is a watching one: looks while it holds the process, whose
 * number is nobody else's as long.
 */
static void end_process(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0)
		return;
	if (is_watching(pid))
		(void)syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
	(void)close(fd);
}

void session_watch_stop(const char *session)
{
	struct lttng_triggers *triggers = NULL;
	unsigned int count = 0;

	if (lttng_list_triggers(&triggers) != LTTNG_OK)
		return;
	(void)lttng_triggers_get_count(triggers, &count);
	for (unsigned int i = 0; i < count; i++) {
		const struct lttng_trigger *trigger =
			lttng_triggers_get_at_index(triggers, i);
		const char *name;
		pid_t pid;

		if (!is_mine(trigger) ||
		    lttng_trigger_get_name(trigger, &name) !=
			    LTTNG_TRIGGER_STATUS_OK)
			continue;
		pid = watcher(name, session);
		if (!pid)
			continue;
		end_process(pid);
		(void)lttng_unregister_trigger(trigger);
	}
	lttng_triggers_destroy(triggers);
}
