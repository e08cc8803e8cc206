/* SPDX-License-Identifier: MIT */
/* Who is at the other end of a connection over the loopback interface. */
#ifndef NFTRACE_NATIVE_LIVE_PEER_H
#define NFTRACE_NATIVE_LIVE_PEER_H

#include <sys/types.h>

/*
 * A socket to ask the kernel with, about connections of the network namespace
 * that this thread is in; user IDs are those of its user namespace. The caller
 * closes it. Returns a negative errno if there is none.
 */
int live_peer_open(void);

/*
 * The user whose process made the other end of the connection @fd, a TCP socket
 * from accept(2). Returns 0, or -ENOTCONN if the kernel can't tell, as of a
 * connection that its maker has closed: then it must not be used.
 */
int live_peer_uid(int asker, int fd, uid_t *uid);

#endif /* NFTRACE_NATIVE_LIVE_PEER_H */
