// SPDX-License-Identifier: MIT
/* A relay daemon of our own; see tail_relayd.h. */
#include "tail_relayd.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "reader_temporary.h"
#include "tail_leftover.h"

#define NR_PORTS  3
#define PROGRAM	  "lttng-relayd"
#define WAIT_NS	  (10L * 1000 * 1000)
#define MAX_WAITS 500

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

/* A socket that holds a free port. -1 if there is none. */
static int bind_port(uint16_t *port)
{
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0) {
		(void)close(fd);
		return -1;
	}
	*port = ntohs(address.sin_port);
	return fd;
}

/* Finds ports that nobody listens on, all different. */
static bool find_ports(struct cli_relayd *relayd)
{
	uint16_t *ports[NR_PORTS] = { &relayd->control_port, &relayd->data_port,
				      &relayd->live_port };
	int fds[NR_PORTS];
	bool is_ok = true;

	for (size_t i = 0; i < NR_PORTS; i++) {
		fds[i] = bind_port(ports[i]);
		is_ok = is_ok && fds[i] >= 0;
	}
	for (size_t i = 0; i < NR_PORTS; i++)
		if (fds[i] >= 0)
			(void)close(fds[i]);
	return is_ok;
}

static void note_exit(uv_process_t *process, int64_t status, int number)
{
	struct cli_relayd *relayd = process->data;

	(void)status;
	(void)number;
	relayd->is_running = false;
	uv_close((uv_handle_t *)process, NULL);
}

static bool spawn(struct cli_relayd *relayd, uv_loop_t *loop)
{
	char control[64];
	char data[64];
	char live[64];
	char *arguments[] = { PROGRAM, "-C", control, "-D", data,
			      "-L",    live, "-o",    NULL, NULL };
	uv_stdio_container_t stdio[] = {
		{ .flags = UV_IGNORE },
		{ .flags = UV_IGNORE },
		{ .flags = UV_IGNORE },
	};
	const uv_process_options_t options = {
		.file = PROGRAM,
		.args = arguments,
		.flags = UV_PROCESS_DETACHED,
		.stdio = stdio,
		.stdio_count = sizeof(stdio) / sizeof(stdio[0]),
		.exit_cb = note_exit,
	};
	int status;

	arguments[8] = relayd->folder;
	(void)snprintf(control, sizeof(control), "tcp://127.0.0.1:%u",
		       relayd->control_port);
	(void)snprintf(data, sizeof(data), "tcp://127.0.0.1:%u",
		       relayd->data_port);
	(void)snprintf(live, sizeof(live), "tcp://127.0.0.1:%u",
		       relayd->live_port);
	relayd->process.data = relayd;
	status = uv_spawn(loop, &relayd->process, &options);
	if (status < 0) {
		cli_error("cannot start " PROGRAM ": %s; it is in the Debian "
			  "package lttng-tools",
			  uv_strerror(status));
		uv_close((uv_handle_t *)&relayd->process, NULL);
		return false;
	}
	relayd->is_running = true;
	relayd->mark = cli_leftover_mark(relayd->folder, relayd->process.pid);
	if (relayd->mark < 0)
		cli_error("cannot write to %s: %s", relayd->folder,
			  strerror(errno));
	return relayd->mark >= 0;
}

static bool answers(uint16_t port)
{
	struct sockaddr_in address = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is_connected = fd >= 0 && connect(fd, (struct sockaddr *)&address,
					       sizeof(address)) == 0;

	if (fd >= 0)
		(void)close(fd);
	return is_connected;
}

/* Waits for the last of its ports, which it listens on after the others. */
static bool wait_for(struct cli_relayd *relayd, uv_loop_t *loop)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };

	for (int i = 0; i < MAX_WAITS && relayd->is_running; i++) {
		if (answers(relayd->live_port) &&
		    answers(relayd->control_port) && answers(relayd->data_port))
			return true;
		(void)nanosleep(&wait, NULL);
		(void)uv_run(loop, UV_RUN_NOWAIT);
	}
	cli_error(PROGRAM " %s; see what it says when it is started by hand",
		  relayd->is_running ? "doesn't answer" : "ended at once");
	return false;
}

bool cli_relayd_start(struct cli_relayd *relayd, uv_loop_t *loop)
{
	if (!find_ports(relayd)) {
		cli_error("no free TCP port on the loopback interface: %s",
			  strerror(errno));
		return false;
	}
	cli_leftover_remove();
	relayd->folder = reader_temporary_make(CLI_LEFTOVER_PREFIX);
	return relayd->folder && spawn(relayd, loop) && wait_for(relayd, loop);
}

void cli_relayd_end(struct cli_relayd *relayd, uv_loop_t *loop)
{
	if (relayd->is_running)
		(void)uv_process_kill(&relayd->process, SIGTERM);
	while (relayd->is_running)
		(void)uv_run(loop, UV_RUN_ONCE);
	if (relayd->folder)
		reader_temporary_remove(relayd->folder);
	if (relayd->mark > 0)
		(void)close(relayd->mark);
	free(relayd->folder);
	relayd->folder = NULL;
}
