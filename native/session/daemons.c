// SPDX-License-Identifier: MIT
/* Looks at session daemons; see session/daemons.h. */
#include "session/daemons.h"

#include <errno.h>
#include <glob.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/daemon.h"

#define ROOT_FOLDER "/var/run/lttng"
#define SOCKET	    "client-lttng-sessiond"
/* Of the application socket, which has a number for its protocol. */
#define APPLICATIONS "lttng-ust-sock-*"

/* Files that container runtimes put into their containers. */
static const char *const container_marks[] = { "/.dockerenv",
					       "/run/.containerenv" };

static char *sentence(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static char *sentence(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return text;
}

static bool in_container(void)
{
	for (size_t i = 0;
	     i < sizeof(container_marks) / sizeof(container_marks[0]); i++)
		if (!access(container_marks[i], F_OK))
			return true;
	return getenv("container");
}

/* A session daemon of root's lets the group of its socket in. */
static char *why_no_access(const char *socket)
{
	struct stat status;
	const struct group *group;

	if (stat(socket, &status))
		return sentence("this user may not look into its folder");
	group = getgrgid(status.st_gid);
	if (!group || !status.st_gid)
		return sentence("only root may use it: it was started without "
				"a tracing group (lttng-sessiond --group)");
	return sentence("this user is not in the group \"%s\"; as root: "
			"usermod -aG %s USER, then log in again",
			group->gr_name, group->gr_name);
}

/*
 * Connects to a session daemon; @peer becomes the process behind the socket, as the
 * kernel knows it. Returns 0 or an error number.
 */
static int connect_to(const char *path, struct ucred *peer)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(*peer);
	int fd, ret = 0;

	if (strlen(path) >= sizeof(address.sun_path))
		return ENAMETOOLONG;
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size))
		ret = errno;
	(void)close(fd);
	return ret;
}

/*
 * Whether services can reach root's daemon and commands can't: so it is in a
 * container that has the application socket alone.
 */
static bool serves_applications(void)
{
	struct ucred peer = { 0 };
	glob_t sockets;
	bool answers = false;

	if (glob(ROOT_FOLDER "/" APPLICATIONS, 0, NULL, &sockets))
		return false;
	for (size_t i = 0; i < sockets.gl_pathc; i++)
		answers = answers || !connect_to(sockets.gl_pathv[i], &peer);
	globfree(&sockets);
	return answers;
}

static char *why_none(bool is_root)
{
	if (is_root && serves_applications())
		return sentence("not to be asked from here; this is a "
				"container, whose services the host's daemon "
				"can record: run nftrace on the host");
	if (is_root && in_container())
		return sentence(
			"not running here; this is a container: start "
			"one in it, or let the host's record its "
			"services: mount, read-only, a folder with "
			"nothing but its application socket at " ROOT_FOLDER
			", and /dev/shm/lttng-ust-wait-*; "
			"never the host's " ROOT_FOLDER ", with which "
			"a container controls the host's daemon");
	return sentence("not running; nftrace record starts one, or "
			"lttng-sessiond --daemonize");
}

/*
 * The version of a process's program, which is run for that: never another user's,
 * but root's.
 */
static char *version_of(const struct ucred *peer)
{
	bool is_trusted = !peer->uid || peer->uid == geteuid();

	return session_daemon_version(is_trusted ? peer->pid : 0);
}

static void examine(struct session_daemon_status *daemon, const char *owner,
		    const char *folder)
{
	bool is_root = !strcmp(owner, "root");
	struct ucred peer = { 0 };
	int error;

	*daemon = (struct session_daemon_status){ .owner = owner };
	if (!folder) {
		daemon->why_not = sentence("there is no $HOME, where its "
					   "sockets would be");
		return;
	}
	(void)snprintf(daemon->socket, sizeof(daemon->socket), "%s/" SOCKET,
		       folder);
	error = connect_to(daemon->socket, &peer);
	switch (error) {
	case 0:
		daemon->answers = true;
		daemon->pid = peer.pid;
		daemon->version = version_of(&peer);
		break;
	case ENOENT:
		daemon->why_not = why_none(is_root);
		break;
	case EACCES:
	case EPERM:
		daemon->why_not = why_no_access(daemon->socket);
		break;
	case ECONNREFUSED:
		daemon->why_not = sentence(
			"its socket is there, but nobody answers: it has "
			"crashed or was killed; start it again with "
			"lttng-sessiond --daemonize");
		break;
	default:
		daemon->why_not = sentence("its socket cannot be used: %s",
					   strerror(error));
	}
}

size_t session_status_find_daemons(
	struct session_daemon_status daemons[SESSION_NR_DAEMONS])
{
	const char *home = getenv("LTTNG_HOME");
	char folder[PATH_MAX];
	bool has_home;

	if (!home || !*home)
		home = getenv("HOME");
	has_home = home && *home;
	(void)snprintf(folder, sizeof(folder), "%s/.lttng",
		       has_home ? home : "");
	examine(&daemons[0], "root", ROOT_FOLDER);
	daemons[0].used = daemons[0].answers;
	if (!geteuid())
		return 1;
	examine(&daemons[1], "user", has_home ? folder : NULL);
	/* liblttng-ctl's choice. */
	daemons[1].used = !daemons[0].answers && daemons[1].answers;
	return 2;
}
