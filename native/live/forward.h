/* SPDX-License-Identifier: MIT */
/* TCP connections that are forwarded, both ways, to a port. */
#ifndef NFTRACE_NATIVE_LIVE_FORWARD_H
#define NFTRACE_NATIVE_LIVE_FORWARD_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

/* The connections of an event loop. Zeroed but for the loop: none. */
struct live_forwards {
	uv_loop_t *loop;		/* weak */
	struct connection *connections; /* owned; a list */
	size_t nr_connections;
};

/* Where @port of 127.0.0.1 is. */
struct sockaddr_in live_loopback(uint16_t port);

/*
 * Forwards the connection @fd, which it takes over, to @port of 127.0.0.1, until
 * both ends have said that they are done or one breaks off. An end that reads
 * slowly slows down the other one. Where nobody listens @fd is closed.
 */
void live_forward_add(struct live_forwards *forwards, int fd, uint16_t port);

/* Breaks all of them off. The loop has to run until that is done. */
void live_forward_end(struct live_forwards *forwards);

#endif /* NFTRACE_NATIVE_LIVE_FORWARD_H */
