// SPDX-License-Identifier: MIT
/* The live session of `nftrace tail`; see tail_session.h. */
#include "tail_session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lttng/lttng.h>

#include "cli.h"

#define PREFIX	      "nftrace-tail-"
#define CHANNEL	      "nftrace"
#define LIVE_TIMER_US ((uint64_t)100 * 1000)

static void report(const char *what, int code)
{
	if (code < 0)
		code = -code;
	if (code == LTTNG_ERR_NO_SESSIOND)
		cli_error("no LTTng session daemon answers; start one with "
			  "lttng-sessiond --daemonize (as root, or as a member "
			  "of the group tracing, for all users' services)");
	else
		cli_error("cannot %s: %s", what, lttng_strerror(-code));
}

/* Destroys what was left by a process that is gone. */
static void clean_up(void)
{
	struct lttng_session *sessions;
	int nr_sessions = lttng_list_sessions(&sessions);

	if (nr_sessions < 0)
		return;
	for (int i = 0; i < nr_sessions; i++) {
		const char *name = sessions[i].name;
		char *end;
		long pid;

		if (strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		pid = strtol(name + sizeof(PREFIX) - 1, &end, 10);
		if (pid > 0 && !*end && kill((pid_t)pid, 0) < 0 &&
		    errno == ESRCH)
			(void)lttng_destroy_session_no_wait(name);
	}
	free(sessions);
}

static bool create(struct cli_tail_session *session,
		   const struct cli_relayd *relayd)
{
	struct lttng_session_descriptor *descriptor;
	enum lttng_error_code code = LTTNG_ERR_NOMEM;
	char url[64];

	(void)snprintf(session->name, sizeof(session->name), PREFIX "%ld",
		       (long)getpid());
	(void)snprintf(url, sizeof(url), "net://127.0.0.1:%u:%u",
		       relayd->control_port, relayd->data_port);
	descriptor = lttng_session_descriptor_live_network_create(
		session->name, url, NULL, LIVE_TIMER_US);
	if (descriptor)
		code = lttng_create_session_ext(descriptor);
	lttng_session_descriptor_destroy(descriptor);
	if (code == LTTNG_OK)
		return true;
	session->name[0] = '\0';
	report("create a live session", code);
	return false;
}

/* LTTng's log level for a Bunyan level and those above; see nft_bunyan.h. */
static int log_level(int32_t level)
{
	if (level < 30)
		return LTTNG_LOGLEVEL_DEBUG_SYSTEM;
	if (level < 40)
		return LTTNG_LOGLEVEL_INFO;
	if (level < 50)
		return LTTNG_LOGLEVEL_WARNING;
	return level < 60 ? LTTNG_LOGLEVEL_ERR : LTTNG_LOGLEVEL_CRIT;
}

static int enable_event(struct lttng_handle *handle, const char *name,
			int32_t level)
{
	struct lttng_event *event = lttng_event_create();
	int status;

	if (!event)
		return -LTTNG_ERR_NOMEM;
	event->type = LTTNG_EVENT_TRACEPOINT;
	(void)snprintf(event->name, sizeof(event->name), "%s", name);
	event->loglevel_type = LTTNG_EVENT_LOGLEVEL_ALL;
	event->loglevel = -1;
	if (level >= 20) {
		event->loglevel_type = LTTNG_EVENT_LOGLEVEL_RANGE;
		event->loglevel = log_level(level);
	}
	status = lttng_enable_event(handle, event, CHANNEL);
	lttng_event_destroy(event);
	return status;
}

static int add_contexts(struct lttng_handle *handle)
{
	static const enum lttng_event_context_type contexts[] = {
		LTTNG_EVENT_CONTEXT_VPID,
		LTTNG_EVENT_CONTEXT_VTID,
		LTTNG_EVENT_CONTEXT_PROCNAME,
	};
	int status = 0;

	for (size_t i = 0;
	     status >= 0 && i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		struct lttng_event_context context = { .ctx = contexts[i] };

		status = lttng_add_context(handle, &context, NULL, CHANNEL);
	}
	return status;
}

static int enable(const struct cli_tail_session *session,
		  const struct cli_tail_plan *plan)
{
	struct lttng_domain domain = {
		.type = LTTNG_DOMAIN_UST,
		.buf_type = LTTNG_BUFFER_PER_UID,
	};
	struct lttng_handle *handle =
		lttng_create_handle(session->name, &domain);
	struct lttng_channel *channel = lttng_channel_create(&domain);
	int status = -LTTNG_ERR_NOMEM;

	if (handle && channel) {
		(void)snprintf(channel->name, sizeof(channel->name), CHANNEL);
		status = lttng_enable_channel(handle, channel);
	}
	if (status >= 0 && plan->context)
		status = add_contexts(handle);
	if (status >= 0)
		status = enable_event(handle, "bunyan:*", plan->level);
	if (status >= 0 && plan->all)
		status = enable_event(handle, "*", INT32_MIN);
	if (channel)
		lttng_channel_destroy(channel);
	if (handle)
		lttng_destroy_handle(handle);
	return status;
}

bool cli_tail_session_start(struct cli_tail_session *session,
			    const struct cli_tail_plan *plan,
			    const struct cli_relayd *relayd)
{
	int status;

	clean_up();
	if (!create(session, relayd))
		return false;
	status = enable(session, plan);
	if (status < 0) {
		report("enable the events bunyan:*", status);
		return false;
	}
	status = lttng_start_tracing(session->name);
	if (status < 0) {
		report("start the live session", status);
		return false;
	}
	return true;
}

void cli_tail_session_end(struct cli_tail_session *session)
{
	int status;

	if (!session->name[0])
		return;
	status = lttng_destroy_session(session->name);
	if (status < 0 && status != -LTTNG_ERR_SESS_NOT_FOUND)
		cli_error("cannot destroy the session %s: %s; do that with "
			  "lttng destroy %s",
			  session->name, lttng_strerror(status), session->name);
	session->name[0] = '\0';
}
