// SPDX-License-Identifier: MIT
/* Runs a command while recording; see cli/record_run.h. */
#include "cli/record_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <uv.h>

#include "cli/cli.h"

#define STATUS_NOT_RUNNABLE 126
#define STATUS_NOT_FOUND    127
#define STATUS_SIGNAL	    128

static int signals = -1; /* a signalfd(2) for the held signals */

/*
 * SIGHUP is ignored, as nohup(1) has it. libuv would give it back to the
 * command, which therefore gets a session of its own.
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
	/* Unlike uv_signal_t, it tells the terminal's signals from others. */
	signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals >= 0)
		return 0;
failed:
	cli_error("cannot handle signals: %s", strerror(errno));
	return -1;
}

struct run {
	uv_loop_t loop;
	uv_process_t process;
	uv_poll_t poll;
	int status; /* as a shell gives it */
};

static void note_end(uv_process_t *process, int64_t status, int signal)
{
	struct run *run = process->data;

	run->status = signal ? STATUS_SIGNAL + signal : (int)status;
	uv_close((uv_handle_t *)process, NULL);
	uv_close((uv_handle_t *)&run->poll, NULL);
}

static void pass_on(uv_poll_t *poll, int status, int events)
{
	struct run *run = poll->data;
	struct signalfd_siginfo info;

	(void)status;
	(void)events;
	while (read(signals, &info, sizeof(info)) == sizeof(info)) {
		/* The terminal has sent it to the whole process group. */
		if (info.ssi_code == SI_KERNEL && !is_detached)
			continue;
		(void)uv_process_kill(&run->process, (int)info.ssi_signo);
	}
}

int cli_run_command(char **argv, bool *started)
{
	uv_stdio_container_t stdio[3] = {
		{ .flags = UV_INHERIT_FD, .data.fd = 0 },
		{ .flags = UV_INHERIT_FD, .data.fd = 1 },
		{ .flags = UV_INHERIT_FD, .data.fd = 2 },
	};
	uv_process_options_t options = {
		.file = argv[0],
		.args = argv,
		.exit_cb = note_end,
		.stdio = stdio,
		.stdio_count = 3,
		.flags = is_detached ? UV_PROCESS_DETACHED : 0,
	};
	struct run run = { .process.data = &run, .poll.data = &run };
	int ret;

	*started = false;
	ret = uv_loop_init(&run.loop);
	if (ret)
		goto failed;
	ret = uv_poll_init(&run.loop, &run.poll, signals);
	if (!ret) {
		ret = uv_spawn(&run.loop, &run.process, &options);
		if (ret) {
			uv_close((uv_handle_t *)&run.process, NULL);
			uv_close((uv_handle_t *)&run.poll, NULL);
		} else {
			*started = true;
			(void)uv_poll_start(&run.poll, UV_READABLE, pass_on);
		}
		(void)uv_run(&run.loop, UV_RUN_DEFAULT);
	}
	(void)uv_loop_close(&run.loop);
	if (*started)
		return run.status;
failed:
	cli_error("cannot run %s: %s", argv[0], uv_strerror(ret));
	return ret == UV_ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUNNABLE;
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
