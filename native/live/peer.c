// SPDX-License-Identifier: MIT
/*
 * Who is at the other end of a connection; see live/peer.h. The other end is a
 * socket of this host, too, which sock_diag(7) finds by its addresses.
 */
#include "live/peer.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* The kernel answers before it returns from send(2). */
#define ANSWER_SECONDS 5
#define ANSWER_SIZE    1024

int live_peer_open(void)
{
	const struct timeval wait = { .tv_sec = ANSWER_SECONDS };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	return fd;
}

/* Asks for the socket at @id. */
static bool ask(int asker, const struct inet_diag_sockid *id)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct {
		struct nlmsghdr header;
		struct inet_diag_req_v2 body;
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = SOCK_DIAG_BY_FAMILY,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.body = {
			.sdiag_family = AF_INET,
			.sdiag_protocol = IPPROTO_TCP,
			.idiag_states = 1U << TCP_ESTABLISHED,
			.id = *id,
		},
	};

	return sendto(asker, &request, sizeof(request), 0,
		      (const struct sockaddr *)&kernel,
		      sizeof(kernel)) == sizeof(request);
}

/*
 * Takes the answer. The kernel looks for a listening socket, too, if there is no
 * connection at those addresses.
 */
static bool read_answer(int asker, const struct inet_diag_sockid *id,
			uid_t *uid)
{
	char answer[ANSWER_SIZE] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct inet_diag_msg found;
	struct nlmsghdr header;
	ssize_t size;

	do
		size = recv(asker, answer, sizeof(answer), 0);
	while (size < 0 && errno == EINTR);
	if (size < (ssize_t)NLMSG_LENGTH(sizeof(found)))
		return false;
	memcpy(&header, answer, sizeof(header));
	if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    header.nlmsg_len < NLMSG_LENGTH(sizeof(found)))
		return false;
	memcpy(&found, answer + NLMSG_HDRLEN, sizeof(found));
	*uid = found.idiag_uid;
	return found.idiag_family == AF_INET &&
	       found.idiag_state == TCP_ESTABLISHED &&
	       found.id.idiag_sport == id->idiag_sport &&
	       found.id.idiag_dport == id->idiag_dport &&
	       found.id.idiag_src[0] == id->idiag_src[0] &&
	       found.id.idiag_dst[0] == id->idiag_dst[0] &&
	       /* A socket that nobody has any more would be root's. */
	       found.idiag_inode;
}

static bool is_established(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
	       info.tcpi_state == TCP_ESTABLISHED;
}

int live_peer_uid(int asker, int fd, uid_t *uid)
{
	struct sockaddr_in near = { 0 }, far = { 0 };
	socklen_t near_size = sizeof(near), far_size = sizeof(far);
	struct inet_diag_sockid id = {
		.idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
	};

	if (getsockname(fd, (struct sockaddr *)&near, &near_size) < 0 ||
	    getpeername(fd, (struct sockaddr *)&far, &far_size) < 0 ||
	    near.sin_family != AF_INET || far.sin_family != AF_INET)
		return -ENOTCONN;
	/* As the other end sees it. */
	id.idiag_sport = far.sin_port;
	id.idiag_src[0] = far.sin_addr.s_addr;
	id.idiag_dport = near.sin_port;
	id.idiag_dst[0] = near.sin_addr.s_addr;
	/*
	 * As long as this end is connected no other socket can have the other
	 * end's addresses, so it was that end which the kernel has found.
	 */
	if (ask(asker, &id) && read_answer(asker, &id, uid) &&
	    is_established(fd))
		return 0;
	return -ENOTCONN;
}
