// SPDX-License-Identifier: MIT
/* The live session of `nftrace tail`; see live/session.h. */
#include "live/session.h"

#include <stdio.h>

#include <lttng/lttng.h>

#include "base/report.h"

#define LIVE_TIMER_US ((uint64_t)100 * 1000)

int live_session_start(const struct live_plan *plan,
		       struct session_leftover *leftover,
		       const struct session_mark *mark)
{
	char url[64];
	int ret;

	(void)snprintf(url, sizeof(url), "net://127.0.0.1:%u:%u",
		       plan->control_port, plan->data_port);
	ret = session_create(lttng_session_descriptor_live_network_create(
				     plan->name, url, NULL, LIVE_TIMER_US),
			     "cannot create a live session");
	if (ret)
		return ret;
	(void)session_leftover_set_session(leftover, plan->name);
	session_mark_write(mark, leftover);
	ret = session_enable(plan->name, plan->events);
	if (ret)
		return ret;
	ret = lttng_start_tracing(plan->name);
	return ret < 0 ? session_error("cannot start the live session", ret)
		       : 0;
}

int live_session_end(const struct session_leftover *leftover)
{
	int ret = session_leftover_has_session(leftover, NULL)
			  ? session_destroy(leftover->session)
			  : 0;

	if (ret)
		base_report("try \"lttng destroy %s\"", leftover->session);
	return ret;
}
