// SPDX-License-Identifier: MIT
/* A network namespace of this process; see live/namespace.h. */
#include "live/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/report.h"

/* This and the following return 0 or a negative errno. */

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t size = strlen(text);
	int ret = 0;

	if (fd < 0)
		return -errno;
	/* The kernel takes all of it or nothing. */
	if (write(fd, text, size) != (ssize_t)size)
		ret = -errno;
	(void)close(fd);
	return ret;
}

/* The number @id stays what it is in the new user namespace. */
static int map_number(const char *path, unsigned int id)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%u %u 1\n", id, id);
	return write_text(path, text);
}

/* As a user who may not make a network namespace otherwise. */
static int enter_as_user(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int ret;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return -errno;
	ret = map_number("/proc/self/uid_map", uid);
	/* The kernel asks for that, before groups. */
	if (!ret)
		ret = write_text("/proc/self/setgroups", "deny");
	return ret ? ret : map_number("/proc/self/gid_map", gid);
}

static int raise_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		ret = -errno;
	request.ifr_flags |= IFF_UP;
	if (!ret && ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		ret = -errno;
	(void)close(fd);
	return ret;
}

/* Why an @error of unshare(2) or what follows it came, and what to do. */
static const char *find_hint(int error)
{
	switch (error) {
	case ENOSPC:
		return "user.max_net_namespaces or user.max_user_namespaces "
		       "(sysctl) allows no more";
	case EPERM:
	case EACCES:
		return "it takes CAP_SYS_ADMIN, or user namespaces for all "
		       "users, which sysctl (kernel.*userns*) or a container's "
		       "seccomp profile may forbid";
	default:
		return strerror(error);
	}
}

int live_namespace_enter(void)
{
	int ret = unshare(CLONE_NEWNET) < 0 ? enter_as_user() : 0;

	if (!ret)
		ret = raise_loopback();
	if (!ret)
		return 0;
	base_report("cannot make a network namespace, in which no other user "
		    "reaches the relay daemon: %s",
		    find_hint(-ret));
	return ret;
}
