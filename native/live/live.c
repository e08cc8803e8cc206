// SPDX-License-Identifier: MIT
/* A live session and a relay daemon of tail's own; see live/live.h. */
#include "live/live.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/level.h"
#include "base/report.h"
#include "session/daemon.h"
#include "live/leftover.h"
#include "live/namespace.h"

#define PREFIX "nftrace-tail-"

/* Says what can be done instead. */
static void refuse(void)
{
	base_report("instead, start lttng-relayd, make a live session (lttng "
		    "create NAME --live --set-url=net://localhost, lttng "
		    "enable-event -u '" BASE_LEVEL_EVENT_PATTERN
		    "', lttng start) and follow it with "
		    "nftrace tail --session NAME; but whoever can connect to "
		    "that relay daemon can read what it gets");
}

/*
 * Everything that the others need, and that has to be cleaned up. Returns 0 or a
 * negative errno.
 */
static int prepare(struct live *own, const struct session_plan *events)
{
	char stamp[16];
	int ret = session_daemon_ensure();

	if (ret)
		return ret;
	live_leftover_clean();
	own->has_ports = true;
	ret = live_gate_open(&own->gate);
	if (ret) {
		refuse();
		return ret;
	}
	ret = base_temporary_make(&own->leftover.folder, PREFIX);
	if (ret)
		return ret;
	session_mark_make(&own->mark, LIVE_MARK);
	session_mark_write(&own->mark, &own->leftover);
	session_stamp(stamp);
	own->plan = (struct live_plan){
		.control_port = own->gate.doors[LIVE_GATE_CONTROL].port,
		.data_port = own->gate.doors[LIVE_GATE_DATA].port,
		.events = events,
	};
	(void)snprintf(own->plan.name, sizeof(own->plan.name), PREFIX "%s-%d",
		       stamp, (int)getpid());
	return live_keeper_start(&own->keeper, &own->plan, &own->leftover,
				 &own->mark, &own->gate);
}

char *live_open(struct live *own, const struct session_plan *events)
{
	char hostname[HOST_NAME_MAX + 1] = "";
	char *url;

	own->is_open = true;
	own->mark.folder = own->mark.file = -1;
	if (prepare(own, events))
		return NULL;
	if (live_namespace_enter()) {
		refuse();
		return NULL;
	}
	if (live_relayd_start(&own->relayd, own->leftover.folder.path) ||
	    live_gate_start(&own->gate, LIVE_RELAYD_CONTROL_PORT,
			    LIVE_RELAYD_DATA_PORT) ||
	    live_keeper_create(&own->keeper))
		return NULL;
	(void)gethostname(hostname, sizeof(hostname) - 1);
	if (asprintf(&url, "net://127.0.0.1:%d/host/%s/%s",
		     LIVE_RELAYD_LIVE_PORT, hostname, own->plan.name) >= 0)
		return url;
	base_report("out of memory");
	return NULL;
}

bool live_runs(struct live *own)
{
	return live_relayd_runs(&own->relayd);
}

void live_stop(struct live *own)
{
	if (own->keeper.pid)
		live_keeper_destroy(&own->keeper);
}

int live_close(struct live *own)
{
	int ret = 0;

	if (!own->is_open)
		return 0;
	live_relayd_end(&own->relayd);
	if (own->has_ports)
		live_gate_close(&own->gate);
	if (own->keeper.pid) {
		ret = live_keeper_end(&own->keeper);
		session_mark_close(&own->mark);
		free(own->leftover.folder.path);
	} else {
		base_temporary_remove(&own->leftover.folder);
		session_mark_remove(&own->mark);
	}
	*own = (struct live){ 0 };
	return ret;
}
