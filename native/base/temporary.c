// SPDX-License-Identifier: MIT
/*
 * Folders for files that go away again; see base/temporary.h. What is removed
 * is named by descriptors of folders, never by a path through them, so that no
 * link that somebody puts there meanwhile is followed.
 */
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "base/trust.h"

/* Folders in one another; each is open while those in it are removed. */
#define MAX_DEPTH     32
#define OPEN_FOLDER   (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define DEFAULT_PLACE "/tmp"

/*
 * $TMPDIR, or else /tmp, as an absolute path. The caller frees it. NULL with errno
 * if that failed.
 */
static char *find_place(void)
{
	const char *place = getenv("TMPDIR");
	char *current;
	char *path;

	if (!place || !*place)
		return strdup(DEFAULT_PLACE);
	if (place[0] == '/')
		return strdup(place);
	current = getcwd(NULL, 0);
	if (!current || asprintf(&path, "%s/%s", current, place) < 0)
		path = NULL;
	free(current);
	return path;
}

/* Makes sure that nobody else can exchange what is in @place. Says why not. */
static int check_place(const char *place)
{
	char *why = NULL;
	int fd = base_trust_open(place, BASE_TRUST_OWN, NULL, &why);

	if (fd >= 0) {
		(void)close(fd);
		return 0;
	}
	base_report(
		"no temporary folder in %s: %s; set TMPDIR to a folder that "
		"only you can write to",
		place, why ? why : "out of memory");
	free(why);
	return fd;
}

/* Makes a folder in @place; see base_temporary_make(). */
static int make_in(struct base_temporary *folder, const char *place,
		   const char *prefix)
{
	struct stat info;
	char *path;
	int ret;

	if (asprintf(&path, "%s/%sXXXXXX", place, prefix) < 0) {
		base_report("cannot make a temporary folder: %s",
			    strerror(ENOMEM));
		return -ENOMEM;
	}
	ret = check_place(place);
	if (!ret && (!mkdtemp(path) || lstat(path, &info) < 0)) {
		ret = -errno;
		base_report("cannot make a temporary folder in %s: %s; set "
			    "TMPDIR to a folder that can be written to",
			    place, strerror(-ret));
	}
	if (ret) {
		free(path);
		return ret;
	}
	*folder = (struct base_temporary){
		.path = path,
		.device = info.st_dev,
		.inode = info.st_ino,
	};
	return 0;
}

int base_temporary_make(struct base_temporary *folder, const char *prefix)
{
	char *place = find_place();
	int ret = -errno;

	*folder = (struct base_temporary){ 0 };
	if (!place) {
		base_report("cannot make a temporary folder: %s",
			    strerror(-ret));
		return ret;
	}
	ret = make_in(folder, place, prefix);
	free(place);
	return ret;
}

static int remove_contents(int fd, int depth);

/*
 * Removes the folder @name of the folder @parent, if it is @expected or, if that
 * is NULL, on the same device as @parent. Returns 0 or a negative errno.
 */
static int remove_folder(int parent, const char *name,
			 const struct base_temporary *expected, int depth)
{
	int fd = openat(parent, name, OPEN_FOLDER);
	struct stat outer, info;
	int error = 0;

	if (fd < 0)
		return -errno;
	if (fstat(parent, &outer) < 0 || fstat(fd, &info) < 0)
		error = -errno;
	else if (expected && (info.st_dev != expected->device ||
			      info.st_ino != expected->inode))
		error = -ENOENT;
	else if (!expected && info.st_dev != outer.st_dev)
		error = -EXDEV;
	else if (info.st_uid != geteuid())
		error = -EPERM;
	else if (depth == MAX_DEPTH)
		error = -ELOOP;
	if (error) {
		(void)close(fd);
		return error;
	}
	error = remove_contents(fd, depth + 1);
	if (!error && unlinkat(parent, name, AT_REMOVEDIR) < 0)
		error = -errno;
	return error;
}

/* Empties the folder @fd, and closes it. Returns 0 or a negative errno. */
static int remove_contents(int fd, int depth)
{
	DIR *directory = fdopendir(fd);
	const struct dirent *entry;
	int error = 0;

	if (!directory) {
		error = -errno;
		(void)close(fd);
		return error;
	}
	while (!error && (entry = readdir(directory))) {
		const char *name = entry->d_name;

		if (!strcmp(name, ".") || !strcmp(name, "..") ||
		    unlinkat(fd, name, 0) == 0)
			continue;
		error = errno == EISDIR ? remove_folder(fd, name, NULL, depth)
					: -errno;
		if (error == -ENOENT)
			error = 0;
	}
	(void)closedir(directory);
	return error;
}

int base_temporary_erase(const struct base_temporary *folder)
{
	const char *slash = strrchr(folder->path, '/');
	char *place = strndup(folder->path, (size_t)(slash - folder->path));
	char *why = NULL;
	int error;
	int parent;

	if (!place)
		return -ENOMEM;
	parent = base_trust_open(place, BASE_TRUST_OWN, NULL, &why);
	free(place);
	free(why);
	if (parent < 0)
		return -EPERM;
	error = remove_folder(parent, slash + 1, folder, 0);
	(void)close(parent);
	return error == -ENOENT ? 0 : error;
}

void base_temporary_remove(struct base_temporary *folder)
{
	int error = folder->path ? base_temporary_erase(folder) : 0;

	if (error)
		base_report("cannot remove %s: %s", folder->path,
			    strerror(-error));
	free(folder->path);
	*folder = (struct base_temporary){ 0 };
}
