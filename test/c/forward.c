// SPDX-License-Identifier: MIT
/*
 * forward PORT: forwards connections to PORT of 127.0.0.1, as the gate of
 * nftrace tail does, until its stdin ends. Prints the port that it listens on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <uv.h>

#include "check.h"
#include "live/forward.h"

static uv_loop_t loop;
static uint16_t inner;
static struct live_forwards forwards;
static uv_poll_t door;
static uv_poll_t input;

static void answer(uv_poll_t *poll, int status, int events)
{
	uv_os_fd_t fd;

	(void)events;
	CHECK(status == 0 && !uv_fileno((uv_handle_t *)poll, &fd));
	fd = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	CHECK(fd >= 0);
	live_forward_add(&forwards, fd, inner);
}

static void end(uv_poll_t *poll, int status, int events)
{
	(void)status;
	(void)events;
	uv_close((uv_handle_t *)poll, NULL);
	uv_close((uv_handle_t *)&door, NULL);
	live_forward_end(&forwards);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = live_loopback(0);
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(argc == 2);
	inner = (uint16_t)strtoul(argv[1], NULL, 10);
	CHECK(!bind(fd, (struct sockaddr *)&address, size) && !listen(fd, 8) &&
	      !getsockname(fd, (struct sockaddr *)&address, &size));
	CHECK(!uv_loop_init(&loop));
	forwards.loop = &loop;
	CHECK(!uv_poll_init(&loop, &door, fd) &&
	      !uv_poll_start(&door, UV_READABLE, answer));
	CHECK(!uv_poll_init(&loop, &input, 0) &&
	      !uv_poll_start(&input, UV_READABLE | UV_DISCONNECT, end));
	CHECK(printf("%u\n", ntohs(address.sin_port)) > 0 && !fflush(stdout));
	CHECK(!uv_run(&loop, UV_RUN_DEFAULT));
	CHECK(!forwards.connections && !forwards.nr_connections);
	return uv_loop_close(&loop);
}
