// SPDX-License-Identifier: MIT
/* The private folder for small files; see base/runtime.h. */
#include "base/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/trust.h"

#define NAME "nftrace"

/* Whether the open folder @fd is this user's alone. */
static bool is_private(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
	       !(info.st_mode & (S_IRWXG | S_IRWXO));
}

/* Opens or makes @name in @place; see base_runtime_open(). */
static int open_in(const char *place, const char *name, char **why)
{
	int parent = base_trust_open(place, BASE_TRUST_OWN, NULL, why);
	const char *problem = NULL;
	int fd = -1;

	if (parent < 0)
		return parent;
	if (mkdirat(parent, name, S_IRWXU) == 0 || errno == EEXIST)
		fd = openat(parent, name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		fd = -errno;
		problem = strerror(errno);
	} else if (!is_private(fd)) {
		problem = "other users can look into it, or own it";
		(void)close(fd);
		fd = -EPERM;
	}
	if (problem && asprintf(why, "%s/%s: %s", place, name, problem) < 0)
		*why = NULL;
	(void)close(parent);
	return fd;
}

int base_runtime_open(char **why)
{
	const char *place = getenv("XDG_RUNTIME_DIR");
	uid_t uid = geteuid();
	char users[32], name[32];
	const struct {
		const char *place;
		const char *name;
	} choices[] = {
		{ place && place[0] == '/' ? place : users, NAME },
		{ users, NAME },
		{ "/tmp", name },
	};
	int fd = -1;

	*why = NULL;
	if (uid == 0)
		return open_in("/run", NAME, why);
	(void)snprintf(users, sizeof(users), "/run/user/%u", uid);
	(void)snprintf(name, sizeof(name), NAME "-%u", uid);
	for (size_t i = 0; fd < 0 && i < sizeof(choices) / sizeof(choices[0]);
	     i++) {
		free(*why);
		*why = NULL;
		fd = open_in(choices[i].place, choices[i].name, why);
	}
	return fd;
}
