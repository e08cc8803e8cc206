// SPDX-License-Identifier: MIT
/* Chooses the folder of a trace; see session/place.h. */
#include "session/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "base/trust.h"

/* The folder that this process has made; "": none. */
static char made[PATH_MAX];

/* Makes sure that @place, of O_PATH, is empty. Returns 0 or -ENOTEMPTY, say. */
static int check_empty(int place)
{
	int fd = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool is_empty = true;

	if (!dir) {
		int error = -errno;

		if (fd >= 0)
			(void)close(fd);
		return error;
	}
	while (is_empty && (entry = readdir(dir)))
		is_empty = !strcmp(entry->d_name, ".") ||
			   !strcmp(entry->d_name, "..");
	(void)closedir(dir);
	return is_empty ? 0 : -ENOTEMPTY;
}

/*
 * Makes sure that no other user can put a link or a folder where LTTng makes the
 * trace's own. Returns 0, or a negative errno after saying why not. A group of one's
 * own is usual.
 */
static int check_owner(int place, const char *folder)
{
	struct stat info;

	if (fstat(place, &info) < 0) {
		int error = -errno;

		base_report("cannot write a trace to %s: %s", folder,
			    strerror(-error));
		return error;
	}
	if (!base_trust_owner(&info)) {
		base_report("%s belongs to another user (uid %u), who could "
			    "exchange what is in it; choose an --output that "
			    "doesn't exist yet",
			    folder, info.st_uid);
		return -EPERM;
	}
	if ((info.st_mode & S_IWOTH) ||
	    ((info.st_mode & S_IWGRP) && info.st_gid != getegid())) {
		base_report(
			"other users can write to %s and replace what is in "
			"it; choose an --output that doesn't exist yet",
			folder);
		return -EPERM;
	}
	return 0;
}

/* Looks at a folder that was there already. */
static int check_old(int place, const char *folder)
{
	int error = check_owner(place, folder);

	if (error)
		return error;
	error = check_empty(place);
	if (error == -ENOTEMPTY)
		base_report("%s is not empty, and two traces in one cannot be "
			    "told apart; choose another --output",
			    folder);
	else if (error)
		base_report("cannot write a trace to %s: %s", folder,
			    strerror(-error));
	return error;
}

/* Makes @folder, or looks at it if it is there. */
static int prepare(const char *folder)
{
	bool is_made;
	char *why;
	int place = base_trust_open(folder, BASE_TRUST_NAMED, &is_made, &why);
	int ret = 0;

	if (place < 0) {
		base_report("cannot write a trace to %s: %s", folder,
			    why ? why : "out of memory");
		free(why);
		return place;
	}
	if (is_made)
		(void)snprintf(made, sizeof(made), "%s", folder);
	else
		ret = check_old(place, folder);
	(void)close(place);
	return ret;
}

int session_place_choose(const char *output, const char *name,
			 char folder[static PATH_MAX])
{
	const char *home = getenv("LTTNG_HOME");
	char current[PATH_MAX];
	int size;

	if (!home || !*home)
		home = getenv("HOME");
	if (output && output[0] == '/') {
		size = snprintf(folder, PATH_MAX, "%s", output);
	} else if (output) {
		if (!getcwd(current, sizeof(current))) {
			int error = -errno;

			base_report("no current folder: %s", strerror(-error));
			return error;
		}
		size = snprintf(folder, PATH_MAX, "%s/%s", current, output);
	} else if (home && *home) {
		size = snprintf(folder, PATH_MAX, "%s/lttng-traces/%s", home,
				name);
	} else {
		base_report("there is no $HOME to write to; say where with "
			    "--output");
		return -ENOENT;
	}
	if (size < 0 || size >= PATH_MAX) {
		base_report("the path of the trace is too long");
		return -ENAMETOOLONG;
	}
	return prepare(folder);
}

void session_place_discard(void)
{
	if (made[0])
		(void)rmdir(made);
	made[0] = '\0';
}
