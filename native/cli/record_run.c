// SPDX-License-Identifier: MIT
/* Runs a command while recording; see cli/record_run.h. */
#include "cli/record_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/spawn.h"
#include "cli/cli.h"

#define STATUS_NOT_RUNNABLE 126
#define STATUS_NOT_FOUND    127

static int signals = -1; /* a signalfd(2) for the held signals */

/*
 * SIGHUP is ignored, as nohup(1) has it. The command, which gets all signals back,
 * therefore gets a session of its own.
 */
static bool is_detached;

int cli_run_hold_signals(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction hangup;
	sigset_t held;

	(void)sigemptyset(&held);
	(void)sigaddset(&held, SIGINT);
	(void)sigaddset(&held, SIGTERM);
	is_detached = !sigaction(SIGHUP, NULL, &hangup) &&
		      hangup.sa_handler == SIG_IGN;
	if (!is_detached)
		(void)sigaddset(&held, SIGHUP);
	if (sigaction(SIGPIPE, &ignore, NULL) ||
	    sigprocmask(SIG_BLOCK, &held, NULL))
		goto failed;
	/* It tells the terminal's signals from others. */
	signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals >= 0)
		return 0;
failed:
	cli_error("cannot handle signals: %s", strerror(errno));
	return -1;
}

/* Passes on what other processes send us. */
static void pass_on(pid_t pid)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		/* The terminal has sent it to the whole process group. */
		if (info.ssi_code == SI_KERNEL && !is_detached)
			continue;
		(void)kill(pid, (int)info.ssi_signo);
	}
}

/*
 * Passes signals on to @pid until it ends, which @children tells of. Returns its exit
 * status as a shell has it.
 */
static int wait_for(pid_t pid, int children)
{
	struct pollfd readable[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = children, .events = POLLIN },
	};
	struct signalfd_siginfo info;
	pid_t ended;
	int status;

	while (!(ended = waitpid(pid, &status, WNOHANG))) {
		(void)poll(readable, 2, -1);
		pass_on(pid);
		while (read(children, &info, sizeof(info)) == sizeof(info))
			;
	}
	return ended < 0 ? CLI_FAILED : base_spawn_status(status);
}

int cli_run_command(char **argv, bool *started)
{
	const struct base_spawn how = {
		.stdio = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO },
		.has_session = is_detached,
	};
	sigset_t child;
	int children;
	int ret;

	*started = false;
	(void)sigemptyset(&child);
	(void)sigaddset(&child, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child, NULL);
	children = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	ret = children < 0 ? -errno : base_spawn(argv, &how);
	if (ret > 0) {
		*started = true;
		ret = wait_for(ret, children);
	}
	if (children >= 0)
		(void)close(children);
	if (*started)
		return ret;
	cli_error("cannot run %s: %s", argv[0], uv_strerror(ret));
	return ret == -ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUNNABLE;
}

bool cli_run_interrupted(int milliseconds)
{
	struct pollfd readable = { .fd = signals, .events = POLLIN };
	struct signalfd_siginfo info;

	return poll(&readable, 1, milliseconds) == 1 &&
	       read(signals, &info, sizeof(info)) == sizeof(info);
}

void cli_run_until_signal(void)
{
	while (!cli_run_interrupted(-1))
		;
}
