// SPDX-License-Identifier: MIT
/* A live session and a relay daemon of tail's own; see live/live.h. */
#include "live/live.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/report.h"
#include "session/daemon.h"
#include "live/leftover.h"
#include "live/namespace.h"

#define PREFIX "nftrace-tail-"

static bool refuse(void)
{
	base_report(
		"instead, start lttng-relayd, make a live session (lttng "
		"create NAME --live --set-url=net://localhost, lttng "
		"enable-event -u 'bunyan:*', lttng start) and follow it with "
		"nftrace tail --session NAME; but whoever can connect to "
		"that relay daemon can read what it gets");
	return false;
}

/* Everything that the others need, and that has to be cleaned up. */
static bool prepare(struct cli_own *own, const struct cli_plan *events)
{
	char stamp[16];

	if (cli_daemon_ensure())
		return false;
	cli_tail_leftover_clean();
	own->has_ports = true;
	if (!cli_gate_open(&own->gate))
		return refuse();
	if (!reader_temporary_make(&own->leftover.folder, PREFIX))
		return false;
	cli_mark_make(&own->mark, CLI_TAIL_MARK);
	cli_mark_write(&own->mark, &own->leftover);
	cli_session_stamp(stamp);
	own->plan = (struct cli_tail_plan){
		.control_port = own->gate.doors[CLI_GATE_CONTROL].port,
		.data_port = own->gate.doors[CLI_GATE_DATA].port,
		.events = events,
	};
	(void)snprintf(own->plan.name, sizeof(own->plan.name), PREFIX "%s-%d",
		       stamp, (int)getpid());
	return cli_keeper_start(&own->keeper, &own->plan, &own->leftover,
				&own->mark, &own->gate);
}

char *cli_own_open(struct cli_own *own, const struct cli_plan *events)
{
	char hostname[HOST_NAME_MAX + 1] = "";
	char *url;

	own->is_open = true;
	own->mark.folder = own->mark.file = -1;
	if (!prepare(own, events))
		return NULL;
	if (!cli_namespace_enter()) {
		(void)refuse();
		return NULL;
	}
	if (!cli_relayd_start(&own->relayd, own->leftover.folder.path) ||
	    !cli_gate_start(&own->gate, CLI_RELAYD_CONTROL_PORT,
			    CLI_RELAYD_DATA_PORT) ||
	    !cli_keeper_create(&own->keeper))
		return NULL;
	(void)gethostname(hostname, sizeof(hostname) - 1);
	if (asprintf(&url, "net://127.0.0.1:%d/host/%s/%s",
		     CLI_RELAYD_LIVE_PORT, hostname, own->plan.name) >= 0)
		return url;
	base_report("out of memory");
	return NULL;
}

bool cli_own_runs(struct cli_own *own)
{
	return cli_relayd_runs(&own->relayd);
}

void cli_own_stop(struct cli_own *own)
{
	if (own->keeper.pid)
		cli_keeper_destroy(&own->keeper);
}

bool cli_own_close(struct cli_own *own)
{
	bool is_ok = true;

	if (!own->is_open)
		return true;
	cli_relayd_end(&own->relayd);
	if (own->has_ports)
		cli_gate_close(&own->gate);
	if (own->keeper.pid) {
		is_ok = cli_keeper_end(&own->keeper);
		cli_mark_close(&own->mark);
		free(own->leftover.folder.path);
	} else {
		reader_temporary_remove(&own->leftover.folder);
		cli_mark_remove(&own->mark);
	}
	*own = (struct cli_own){ 0 };
	return is_ok;
}
