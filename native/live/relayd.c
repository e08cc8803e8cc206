// SPDX-License-Identifier: MIT
/* A relay daemon of our own; see live/relayd.h. */
#include "live/relayd.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/report.h"
#include "base/spawn.h"
#include "live/forward.h"

#define PROGRAM	   "lttng-relayd"
#define WAIT_NS	   (10L * 1000 * 1000)
#define MAX_WAITS  500
#define URL(port)  "tcp://127.0.0.1:" TEXT(port)
#define TEXT(x)	   TEXT_OF(x)
#define TEXT_OF(x) #x

static void pause_shortly(void)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };

	(void)nanosleep(&wait, NULL);
}

static bool answers(uint16_t port)
{
	struct sockaddr_in address = live_loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is_connected = fd >= 0 && connect(fd, (struct sockaddr *)&address,
					       sizeof(address)) == 0;

	if (fd >= 0)
		(void)close(fd);
	return is_connected;
}

/*
 * Waits for the last of its ports, which it listens on after the others. Returns 0
 * or -ENOTCONN.
 */
static int wait_for(struct live_relayd *relayd)
{
	for (int i = 0; i < MAX_WAITS && live_relayd_runs(relayd); i++) {
		if (answers(LIVE_RELAYD_LIVE_PORT) &&
		    answers(LIVE_RELAYD_CONTROL_PORT) &&
		    answers(LIVE_RELAYD_DATA_PORT))
			return 0;
		pause_shortly();
	}
	base_report(PROGRAM " %s; see what it says when it is started by hand",
		    relayd->pid ? "doesn't answer" : "ended at once");
	return -ENOTCONN;
}

int live_relayd_start(struct live_relayd *relayd, const char *folder)
{
	/*
	 * As root it would make a folder for the group tracing, which may have no
	 * number in this user namespace, and has no business there.
	 */
	const struct group *group = geteuid() ? NULL : getgrgid(getegid());
	char *arguments[] = {
		PROGRAM,
		"-C",
		URL(LIVE_RELAYD_CONTROL_PORT),
		"-D",
		URL(LIVE_RELAYD_DATA_PORT),
		"-L",
		URL(LIVE_RELAYD_LIVE_PORT),
		"-o",
		(char *)folder,
		group ? "--group" : NULL,
		group ? group->gr_name : NULL,
		NULL,
	};
	const struct base_spawn how = {
		.stdio = { BASE_SPAWN_NULL, BASE_SPAWN_NULL, BASE_SPAWN_NULL },
		.has_session = true,
		.ends_with_us = true,
	};
	pid_t pid = base_spawn(arguments, &how);

	if (pid > 0) {
		relayd->pid = pid;
		return wait_for(relayd);
	}
	base_report("cannot start " PROGRAM ": %s; it is in the Debian package "
		    "lttng-tools",
		    strerror(-pid));
	return pid;
}

bool live_relayd_runs(struct live_relayd *relayd)
{
	if (relayd->pid && waitpid(relayd->pid, NULL, WNOHANG) == relayd->pid)
		relayd->pid = 0;
	return relayd->pid != 0;
}

void live_relayd_end(struct live_relayd *relayd)
{
	if (relayd->pid)
		(void)kill(relayd->pid, SIGTERM);
	for (int i = 0; i < MAX_WAITS && live_relayd_runs(relayd); i++)
		pause_shortly();
	if (!relayd->pid)
		return;
	(void)kill(relayd->pid, SIGKILL);
	(void)waitpid(relayd->pid, NULL, 0);
	relayd->pid = 0;
}
