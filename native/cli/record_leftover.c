// SPDX-License-Identifier: MIT
/* Finds what killed recordings left; see record_leftover.h. */
#include "record_leftover.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <lttng/lttng.h>

#include "cli.h"
#include "control_session.h"

/* nftrace-record-YYYYmmdd-HHMMSS-PID */
#define PREFIX "nftrace-record-"

void cli_leftover_name(char name[static LTTNG_NAME_MAX])
{
	char stamp[16];

	cli_session_stamp(stamp);
	(void)snprintf(name, LTTNG_NAME_MAX, PREFIX "%s-%d", stamp,
		       (int)getpid());
}

/* The process whose session it is; 0 if it isn't one of `nftrace record`. */
static pid_t owner(const char *name)
{
	unsigned int date, time;
	int pid;
	char end;

	if (sscanf(name, PREFIX "%8u-%6u-%d%c", &date, &time, &pid, &end) != 3)
		return 0;
	return pid > 0 ? pid : 0;
}

void cli_leftover_report(void)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);

	for (int i = 0; i < count; i++) {
		pid_t pid = owner(sessions[i].name);

		if (!pid || !kill(pid, 0) || errno != ESRCH)
			continue;
		cli_error(
			"the recording %s was left open: its nftrace (process "
			"%d) has gone; close it with \"lttng destroy %s\"; "
			"its trace is in %s",
			sessions[i].name, (int)pid, sessions[i].name,
			sessions[i].path);
	}
	free(sessions);
}
