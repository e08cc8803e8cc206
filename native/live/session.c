// SPDX-License-Identifier: MIT
/* The live session of `nftrace tail`; see live/session.h. */
#include "live/session.h"

#include <stdio.h>

#include <lttng/lttng.h>

#include "base/report.h"

#define LIVE_TIMER_US ((uint64_t)100 * 1000)

bool live_session_start(const struct live_plan *plan,
			struct session_leftover *leftover,
			const struct session_mark *mark)
{
	char url[64];
	int status;

	(void)snprintf(url, sizeof(url), "net://127.0.0.1:%u:%u",
		       plan->control_port, plan->data_port);
	if (session_create(lttng_session_descriptor_live_network_create(
				   plan->name, url, NULL, LIVE_TIMER_US),
			   "cannot create a live session"))
		return false;
	(void)session_leftover_set_session(leftover, plan->name);
	session_mark_write(mark, leftover);
	if (session_enable(plan->name, plan->events))
		return false;
	status = lttng_start_tracing(plan->name);
	if (status < 0)
		session_error("cannot start the live session", status);
	return status >= 0;
}

bool live_session_end(const struct session_leftover *leftover)
{
	if (!session_leftover_has_session(leftover, NULL) ||
	    !session_destroy(leftover->session))
		return true;
	base_report("try \"lttng destroy %s\"", leftover->session);
	return false;
}
