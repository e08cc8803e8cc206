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
#define LIVE_TIMER_US ((uint64_t)100 * 1000)

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
	char url[64];

	(void)snprintf(session->name, sizeof(session->name), PREFIX "%ld",
		       (long)getpid());
	(void)snprintf(url, sizeof(url), "net://127.0.0.1:%u:%u",
		       relayd->control_port, relayd->data_port);
	if (!cli_session_create(
		    lttng_session_descriptor_live_network_create(
			    session->name, url, NULL, LIVE_TIMER_US),
		    "cannot create a live session"))
		return true;
	session->name[0] = '\0';
	return false;
}

bool cli_tail_session_start(struct cli_tail_session *session,
			    const struct cli_plan *plan,
			    const struct cli_relayd *relayd)
{
	int status;

	clean_up();
	if (!create(session, relayd) || cli_session_enable(session->name, plan))
		return false;
	status = lttng_start_tracing(session->name);
	if (status < 0) {
		cli_session_error("cannot start the live session", status);
		return false;
	}
	return true;
}

void cli_tail_session_end(struct cli_tail_session *session)
{
	if (session->name[0] && cli_session_exists(session->name) &&
	    cli_session_destroy(session->name))
		cli_error("try \"lttng destroy %s\"", session->name);
	session->name[0] = '\0';
}
