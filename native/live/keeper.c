// SPDX-License-Identifier: MIT
/* The process that cleans up after `nftrace tail`; see live/keeper.h. */
#include "live/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/report.h"
#include "base/spawn.h"
#include "live/leftover.h"

/* What is said: requests of tail, one byte each, and the keeper's answers. */
#define CREATE	'c'
#define DESTROY 'd'
#define DONE	'+'
#define FAILED	'-'

/* For the relay daemon's last files to be written, if tail was killed. */
#define WAIT_NS	  (10L * 1000 * 1000)
#define MAX_WAITS 200

static bool say(int fd, char byte)
{
	ssize_t size;

	do
		size = send(fd, &byte, 1, MSG_NOSIGNAL);
	while (size < 0 && errno == EINTR);
	return size == 1;
}

/* The next byte; 0 when there is nobody any more. */
static char hear(int fd)
{
	char byte = '\0';
	ssize_t size;

	do
		size = recv(fd, &byte, 1, 0);
	while (size < 0 && errno == EINTR);
	return byte;
}

/* What the keeper knows. */
struct keeping {
	const struct live_plan *plan; /* weak */
	struct live_gate *gate;	      /* weak */
	struct session_leftover leftover;
	struct session_mark mark;
	int ends[2];	    /* of a socket: tail's and the keeper's */
	bool is_incomplete; /* something is left behind */
};

/* Destroys the session, if there is one; once, for it may take long to fail. */
static int end_session(struct keeping *keeping)
{
	int ret = live_session_end(&keeping->leftover);

	keeping->leftover.session[0] = '\0';
	keeping->is_incomplete |= ret != 0;
	return ret;
}

/* Removes what is left: only the folder, unless tail was killed. */
static void clean_up(struct keeping *keeping)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };
	bool is_clean = !live_leftover_erase(&keeping->leftover);

	for (int i = 0; i < MAX_WAITS && !is_clean; i++) {
		(void)nanosleep(&wait, NULL);
		is_clean = !live_leftover_erase(&keeping->leftover);
	}
	if (!is_clean)
		base_report("cannot remove %s", keeping->leftover.folder.path);
	keeping->is_incomplete |= !is_clean;
	if (!keeping->is_incomplete)
		session_mark_remove(&keeping->mark);
}

/* Does what tail asks for until that ends, and cleans up. */
static void serve(struct keeping *keeping)
{
	char request;

	while ((request = hear(keeping->ends[1]))) {
		int ret = request == CREATE
				  ? live_session_start(keeping->plan,
						       &keeping->leftover,
						       &keeping->mark)
				  : end_session(keeping);

		(void)say(keeping->ends[1], ret ? FAILED : DONE);
	}
	clean_up(keeping);
}

/*
 * Ends only with tail, whatever is sent to a terminal's processes; a reader of
 * tail's output is to see its end with tail's.
 */
static void stand_aside(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)sigaction(SIGINT, &ignore, NULL);
	(void)sigaction(SIGTERM, &ignore, NULL);
	(void)sigaction(SIGHUP, &ignore, NULL);
	(void)sigaction(SIGPIPE, &ignore, NULL);
	base_spawn_leave_terminal(false);
}

/* In the other process. Returns its exit status. */
static int run(void *data)
{
	struct keeping *keeping = data;

	(void)close(keeping->ends[0]);
	live_gate_close(keeping->gate);
	stand_aside();
	serve(keeping);
	return keeping->is_incomplete ? EXIT_FAILURE : EXIT_SUCCESS;
}

int live_keeper_start(struct live_keeper *keeper, const struct live_plan *plan,
		      const struct session_leftover *leftover,
		      const struct session_mark *mark, struct live_gate *gate)
{
	struct keeping keeping = {
		.plan = plan,
		.gate = gate,
		.leftover = *leftover,
		.mark = *mark,
	};
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, keeping.ends)) {
		int error = -errno;

		base_report("cannot make a socket: %s", strerror(-error));
		return error;
	}
	pid = base_spawn_function(run, &keeping);
	(void)close(keeping.ends[1]);
	if (pid > 0) {
		keeper->pid = pid;
		keeper->fd = keeping.ends[0];
		return 0;
	}
	base_report("cannot start a process: %s", strerror(-pid));
	(void)close(keeping.ends[0]);
	return pid;
}

int live_keeper_create(struct live_keeper *keeper)
{
	return say(keeper->fd, CREATE) && hear(keeper->fd) == DONE ? 0 : -EIO;
}

void live_keeper_destroy(struct live_keeper *keeper)
{
	if (say(keeper->fd, DESTROY))
		(void)hear(keeper->fd);
}

int live_keeper_end(struct live_keeper *keeper)
{
	pid_t pid = keeper->pid;
	int status;

	(void)close(keeper->fd);
	status = base_spawn_wait(pid);
	*keeper = (struct live_keeper){ 0 };
	if (status == EXIT_SUCCESS || status == EXIT_FAILURE)
		return status == EXIT_SUCCESS ? 0 : -EIO;
	base_report("the process that cleans up after nftrace tail (%d) was "
		    "killed; the next nftrace tail does it",
		    (int)pid);
	return -ECHILD;
}
