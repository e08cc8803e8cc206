// SPDX-License-Identifier: MIT
/* Finds what killed recordings left; see session/recording.h. */
#include "session/recording.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/report.h"
#include "session/session.h"

#define MARK   "record"
#define PREFIX "nftrace-record-"

void session_recording_name(char name[static LTTNG_NAME_MAX])
{
	char stamp[16];

	session_stamp(stamp);
	(void)snprintf(name, LTTNG_NAME_MAX, PREFIX "%s-%d", stamp,
		       (int)getpid());
}

/* Returns 0, or -EBUSY if the recording is still there. */
static int report(const struct session_leftover *leftover)
{
	char path[PATH_MAX];

	if (!session_leftover_has_session(leftover, path))
		return 0;
	base_report(
		"the recording %s was left open: its nftrace has gone; close "
		"it with \"lttng destroy %s\"; its trace is in %s",
		leftover->session, leftover->session, path);
	return -EBUSY;
}

void session_recording_report(void)
{
	session_mark_each(MARK, report);
}

void session_recording_mark(struct session_mark *mark, const char *session)
{
	struct session_leftover leftover = { 0 };

	session_mark_make(mark, MARK);
	if (!session_leftover_set_session(&leftover, session))
		session_mark_write(mark, &leftover);
}
