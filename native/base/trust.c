// SPDX-License-Identifier: MIT
/* Opens folders that no other user can exchange; see base/trust.h. */
#include "base/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINKS   40
#define FOLDER_MODE (S_IRWXU | S_IRWXG)

/* A walk from / along a path. */
struct walk {
	enum base_trust trust;
	bool *is_made;	     /* weak; NULL: nothing is made */
	int fd;		     /* the folder that was reached; O_PATH */
	struct stat info;    /* of that folder */
	char at[PATH_MAX];   /* its path, without links; "" is / */
	char rest[PATH_MAX]; /* of the path */
	int nr_links;
	char *why; /* owned; NULL while nothing is wrong */
};

bool base_trust_owner(const struct stat *info)
{
	struct stat root;

	return info->st_uid == 0 || info->st_uid == geteuid() ||
	       (stat("/", &root) == 0 && info->st_uid == root.st_uid);
}

/*
 * Says why the walk ends at @name of the folder that was reached; without a path
 * if that is the one that was asked for. Returns -@error.
 */
static int fail(struct walk *walk, const char *name, int error)
{
	if (!walk->rest[strspn(walk->rest, "/")])
		walk->why = strdup(strerror(error));
	else if (asprintf(&walk->why, "%s/%s: %s", walk->at, name,
			  strerror(error)) < 0)
		walk->why = NULL;
	return -error;
}

static int fail_owner(struct walk *walk, const char *name, uid_t uid)
{
	if (asprintf(&walk->why, "%s/%s belongs to another user (uid %u)",
		     walk->at, name, uid) < 0)
		walk->why = NULL;
	return -EPERM;
}

/* Checks that no other user can replace the contents of the folder. */
static int check_folder(struct walk *walk)
{
	mode_t others = S_IWOTH;

	if (walk->trust == BASE_TRUST_OWN)
		others |= S_IWGRP;
	if (!(walk->info.st_mode & others) || (walk->info.st_mode & S_ISVTX))
		return 0;
	if (asprintf(&walk->why,
		     "other users can write to %s and replace what "
		     "is in it",
		     walk->at[0] ? walk->at : "/") < 0)
		walk->why = NULL;
	return -EPERM;
}

/* Makes sure that @name, of @info, in the folder that was reached may be followed. */
static int check_entry(struct walk *walk, const char *name,
		       const struct stat *info)
{
	if (base_trust_owner(info) || (walk->trust == BASE_TRUST_NAMED &&
				       !(walk->info.st_mode & S_IWOTH)))
		return 0;
	return fail_owner(walk, name, info->st_uid);
}

/* Takes @fd as the folder that was reached, and its path; closes the old one. */
static void reach(struct walk *walk, int fd, const struct stat *info)
{
	if (walk->fd >= 0)
		(void)close(walk->fd);
	walk->fd = fd;
	walk->info = *info;
}

static int go_to_root(struct walk *walk)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat info;

	if (fd < 0 || fstat(fd, &info) < 0) {
		if (fd >= 0)
			(void)close(fd);
		return fail(walk, "", errno);
	}
	reach(walk, fd, &info);
	walk->at[0] = '\0';
	return 0;
}

/* Puts a link's target in front of what is left of the path. */
static int follow_link(struct walk *walk, int link, const char *name)
{
	char rest[PATH_MAX];
	ssize_t size = readlinkat(link, "", rest, sizeof(rest));
	int ret;

	if (size < 0)
		return fail(walk, name, errno);
	if (++walk->nr_links > MAX_LINKS)
		return fail(walk, name, ELOOP);
	if ((size_t)size == sizeof(rest))
		return fail(walk, name, ENAMETOOLONG);
	ret = snprintf(rest + size, sizeof(rest) - (size_t)size, "/%s",
		       walk->rest);
	if ((size_t)ret >= sizeof(rest) - (size_t)size)
		return fail(walk, name, ENAMETOOLONG);
	memcpy(walk->rest, rest, (size_t)size + (size_t)ret + 1);
	return rest[0] == '/' ? go_to_root(walk) : 0;
}

/* Opens @name in the folder that was reached, made if that is wanted. */
static int open_entry(struct walk *walk, const char *name)
{
	int fd = openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 || errno != ENOENT || !walk->is_made)
		return fd;
	/* Somebody else may have been faster. */
	if (mkdirat(walk->fd, name, FOLDER_MODE) == 0)
		*walk->is_made = true;
	else if (errno != EEXIST)
		return -1;
	return openat(walk->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* Notes the path of @name in the folder that was reached. */
static int add_name(struct walk *walk, const char *name)
{
	size_t length = strlen(walk->at);
	int size;

	if (!strcmp(name, "..")) {
		*(length ? strrchr(walk->at, '/') : walk->at) = '\0';
		return 0;
	}
	size = snprintf(walk->at + length, sizeof(walk->at) - length, "/%s",
			name);
	if ((size_t)size < sizeof(walk->at) - length)
		return 0;
	walk->at[length] = '\0';
	return fail(walk, name, ENAMETOOLONG);
}

/* Goes into @name of the folder that was reached, or to where it points. */
static int enter(struct walk *walk, const char *name)
{
	bool is_reached = false;
	struct stat info;
	int ret;
	int fd;

	ret = check_folder(walk);
	if (ret)
		return ret;
	if (walk->is_made)
		*walk->is_made = false;
	fd = open_entry(walk, name);
	if (fd < 0 || fstat(fd, &info) < 0) {
		ret = fail(walk, name, errno);
	} else {
		ret = check_entry(walk, name, &info);
		if (!ret && S_ISDIR(info.st_mode)) {
			ret = add_name(walk, name);
			is_reached = !ret;
		} else if (!ret && S_ISLNK(info.st_mode)) {
			ret = follow_link(walk, fd, name);
		} else if (!ret) {
			ret = fail(walk, name, ENOTDIR);
		}
	}
	if (is_reached)
		reach(walk, fd, &info);
	else if (fd >= 0)
		(void)close(fd);
	return ret;
}

/* A name, and a byte more, by which the kernel sees that it is too long. */
#define NAME_SIZE (NAME_MAX + 2)

/* Takes the next name out of the rest of the path. "" at its end. */
static void next_name(struct walk *walk, char name[static NAME_SIZE])
{
	const char *begin = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(begin, "/");

	(void)snprintf(name, NAME_SIZE, "%.*s", (int)length, begin);
	memmove(walk->rest, begin + length, strlen(begin + length) + 1);
}

/* Goes along the rest of the path. */
static int go(struct walk *walk)
{
	char name[NAME_SIZE];
	int ret;

	for (;;) {
		next_name(walk, name);
		if (!name[0])
			return 0;
		ret = strcmp(name, ".") != 0 ? enter(walk, name) : 0;
		if (ret)
			return ret;
	}
}

int base_trust_open(const char *path, enum base_trust trust, bool *is_made,
		    char **why)
{
	struct walk walk = { .trust = trust, .is_made = is_made, .fd = -1 };
	int ret;

	if (is_made)
		*is_made = false;
	if (strlen(path) < sizeof(walk.rest)) {
		(void)snprintf(walk.rest, sizeof(walk.rest), "%s", path);
		ret = go_to_root(&walk);
		if (!ret)
			ret = go(&walk);
	} else {
		ret = fail(&walk, "", ENAMETOOLONG);
	}
	/* The last one is for the caller's files alone. */
	if (!ret && trust == BASE_TRUST_OWN)
		ret = check_folder(&walk);
	if (!ret)
		return walk.fd;
	if (walk.fd >= 0)
		(void)close(walk.fd);
	*why = walk.why;
	return ret;
}
