// SPDX-License-Identifier: MIT
/* The gate in front of a relay daemon; see live/gate.h. */
#include "live/gate.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/report.h"
#include "live/peer.h"

/* A session has one for control and one for data, and some consumers. */
#define MAX_CONNECTIONS 32
#define BACKLOG		128
/* Until other handles of the thread get their turn. */
#define MAX_ACCEPTS 64
/* Where liblttng-ctl finds root's session daemon. */
#define ROOT_SOCKET "/var/run/lttng/client-lttng-sessiond"

/* Listens on a port that is free. Returns 0 or a negative errno. */
static int listen_at(struct live_gate_door *door)
{
	struct sockaddr_in address = live_loopback(0);
	socklen_t size = sizeof(address);

	door->fd =
		socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (door->fd < 0 ||
	    bind(door->fd, (struct sockaddr *)&address, size) < 0 ||
	    listen(door->fd, BACKLOG) < 0 ||
	    getsockname(door->fd, (struct sockaddr *)&address, &size) < 0)
		return -errno;
	door->port = ntohs(address.sin_port);
	return 0;
}

/* Closes the connection @fd at once, leaving nothing of it in the kernel. */
static void turn_away(int fd)
{
	const struct linger reset = { .l_onoff = 1 };

	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	(void)close(fd);
}

/* Takes the connection of @near, which others may be ahead of. -1: none. */
static int accept_from(const struct live_gate_door *door, int near)
{
	struct sockaddr_in wanted = { 0 }, address = { 0 };
	socklen_t size = sizeof(wanted);
	int fd;

	if (getsockname(near, (struct sockaddr *)&wanted, &size) < 0)
		return -1;
	for (;;) {
		size = sizeof(address);
		fd = accept4(door->fd, (struct sockaddr *)&address, &size,
			     SOCK_CLOEXEC);
		if (fd < 0 ||
		    (address.sin_port == wanted.sin_port &&
		     address.sin_addr.s_addr == wanted.sin_addr.s_addr))
			return fd;
		turn_away(fd);
	}
}

/*
 * Whether the kernel tells who connects to a port of ours, as it does unless it
 * was built without sock_diag.
 */
static bool knows_peers(const struct live_gate *gate)
{
	const struct live_gate_door *door = &gate->doors[0];
	struct sockaddr_in address = live_loopback(door->port);
	int near = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int far = -1;
	bool is_known;
	uid_t uid = 0;

	if (near >= 0 &&
	    connect(near, (struct sockaddr *)&address, sizeof(address)) == 0)
		far = accept_from(door, near);
	is_known = far >= 0 && !live_peer_uid(gate->asker, far, &uid) &&
		   uid == geteuid();
	if (near >= 0)
		(void)close(near);
	if (far >= 0)
		(void)close(far);
	return is_known;
}

/*
 * The user of the session daemon that this user may talk to: root, where root's
 * daemon lets this user in, else this user.
 */
static uid_t find_user(void)
{
	const struct sockaddr_un address = {
		.sun_family = AF_UNIX,
		.sun_path = ROOT_SOCKET,
	};
	struct ucred peer = { .uid = geteuid() };
	socklen_t size = sizeof(peer);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&address,
			       sizeof(address)) == 0)
		(void)getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	if (fd >= 0)
		(void)close(fd);
	return peer.uid;
}

int live_gate_open(struct live_gate *gate)
{
	*gate = (struct live_gate){ .users = { geteuid(), find_user() } };
	for (size_t i = 0; i < LIVE_GATE_NR_DOORS; i++) {
		gate->doors[i].gate = gate;
		gate->doors[i].fd = -1;
	}
	gate->asker = live_peer_open();
	for (size_t i = 0; i < LIVE_GATE_NR_DOORS; i++) {
		int error = listen_at(&gate->doors[i]);

		if (!error)
			continue;
		base_report("no free TCP port on the loopback interface: %s",
			    strerror(-error));
		return error;
	}
	if (gate->asker >= 0 && knows_peers(gate))
		return 0;
	base_report("the kernel doesn't tell who connects to the relay daemon "
		    "(CONFIG_INET_DIAG)");
	return -ENOSYS;
}

static bool is_welcome(struct live_gate *gate, int fd)
{
	uid_t uid = 0;

	if (live_peer_uid(gate->asker, fd, &uid))
		return false;
	if (uid == gate->users[0] || uid == gate->users[1])
		return gate->forwards.nr_connections < MAX_CONNECTIONS;
	/* Once: whoever does that may do it very often. */
	if (!gate->has_refused)
		base_report(
			"refused a connection of uid %u to the relay daemon",
			uid);
	gate->has_refused = true;
	return false;
}

static void answer(uv_poll_t *poll, int status, int events)
{
	struct live_gate_door *door = poll->data;

	(void)status;
	(void)events;
	for (int i = 0; i < MAX_ACCEPTS; i++) {
		int fd = accept4(door->fd, NULL, NULL,
				 SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		if (is_welcome(door->gate, fd))
			live_forward_add(&door->gate->forwards, fd,
					 door->inner);
		else
			turn_away(fd);
	}
}

static void close_all(uv_async_t *stop)
{
	struct live_gate *gate = stop->data;

	for (size_t i = 0; i < LIVE_GATE_NR_DOORS; i++)
		uv_close((uv_handle_t *)&gate->doors[i].poll, NULL);
	live_forward_end(&gate->forwards);
	uv_close((uv_handle_t *)stop, NULL);
}

static void run(void *data)
{
	struct live_gate *gate = data;

	(void)uv_run(&gate->loop, UV_RUN_DEFAULT);
}

/* Without signals, which are for the main thread. */
static int start_thread(struct live_gate *gate)
{
	sigset_t all, before;
	int status;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	status = uv_thread_create(&gate->thread, run, gate);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

int live_gate_start(struct live_gate *gate, uint16_t control, uint16_t data)
{
	int status = uv_loop_init(&gate->loop);

	gate->doors[LIVE_GATE_CONTROL].inner = control;
	gate->doors[LIVE_GATE_DATA].inner = data;
	for (size_t i = 0; status == 0 && i < LIVE_GATE_NR_DOORS; i++) {
		struct live_gate_door *door = &gate->doors[i];

		door->poll.data = door;
		status = uv_poll_init(&gate->loop, &door->poll, door->fd);
		if (status == 0)
			status =
				uv_poll_start(&door->poll, UV_READABLE, answer);
	}
	gate->stop.data = gate;
	gate->forwards.loop = &gate->loop;
	if (status == 0)
		status = uv_async_init(&gate->loop, &gate->stop, close_all);
	if (status == 0)
		status = start_thread(gate);
	gate->is_running = status == 0;
	if (status < 0)
		base_report("cannot forward to the relay daemon: %s",
			    uv_strerror(status));
	return status;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

void live_gate_close(struct live_gate *gate)
{
	if (gate->is_running) {
		(void)uv_async_send(&gate->stop);
		(void)uv_thread_join(&gate->thread);
		(void)uv_loop_close(&gate->loop);
	}
	gate->is_running = false;
	for (size_t i = 0; i < LIVE_GATE_NR_DOORS; i++)
		close_fd(&gate->doors[i].fd);
	close_fd(&gate->asker);
}
