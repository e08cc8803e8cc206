// SPDX-License-Identifier: MIT
/* What a killed command leaves behind; see session/mark.h. */
#include "session/mark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lttng/lttng.h>

#include "base/report.h"
#include "base/runtime.h"

/* Which session daemon; session and creation time; device, inode and path. */
#define FORMAT_WRITE "home %s\nsession %s %" PRIu64 "\nfolder %ju %ju %s"
#define FORMAT_READ                                    \
	"home %4095[^\n]\nsession %254s %" SCNu64 "\n" \
	"folder %ju %ju %4095[^\n]%n"
#define NONE	  "-"
#define MARK_SIZE (2 * PATH_MAX + LTTNG_NAME_MAX + 128)

_Static_assert(PATH_MAX == 4096 && LTTNG_NAME_MAX == 255,
	       "FORMAT_READ has their sizes in it");

/* What decides which session daemon this user talks to. */
static const char *find_home(void)
{
	const char *home = getenv("LTTNG_HOME");

	if (!home || !*home)
		home = getenv("HOME");
	return geteuid() == 0 || !home || !*home ? NONE : home;
}

/*
 * A new file, locked by this process. Returns its descriptor or a negative errno;
 * -EAGAIN if another command took it for a leftover before it was locked.
 */
static int make_file(struct session_mark *mark, const char *kind)
{
	uint64_t number;
	struct stat info = { 0 };
	int file;

	if (getrandom(&number, sizeof(number), 0) < 0)
		return -errno;
	(void)snprintf(mark->name, sizeof(mark->name), "%.8s-%016" PRIx64, kind,
		       number);
	file = openat(mark->folder, mark->name,
		      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (file < 0)
		return -errno;
	if (flock(file, LOCK_EX) == 0 && fstat(file, &info) == 0 &&
	    info.st_nlink)
		return file;
	(void)close(file);
	return -EAGAIN;
}

void session_mark_make(struct session_mark *mark, const char *kind)
{
	char *why = NULL;

	*mark = (struct session_mark){ .file = -1 };
	mark->folder = base_runtime_open(&why);
	if (mark->folder >= 0) {
		do
			mark->file = make_file(mark, kind);
		while (mark->file == -EAGAIN);
		if (mark->file < 0)
			why = strdup(strerror(-mark->file));
	}
	if (mark->file >= 0)
		return;
	base_report("no note can be kept of what has to be cleaned up if this "
		    "nftrace is killed: %s",
		    why ? why : "out of memory");
	free(why);
	session_mark_close(mark);
}

void session_mark_write(const struct session_mark *mark,
			const struct session_leftover *leftover)
{
	char text[MARK_SIZE];
	int size;

	if (mark->file < 0)
		return;
	size = snprintf(text, sizeof(text), FORMAT_WRITE, find_home(),
			leftover->session[0] ? leftover->session : NONE,
			leftover->created, (uintmax_t)leftover->folder.device,
			(uintmax_t)leftover->folder.inode,
			leftover->folder.path ? leftover->folder.path : NONE);
	if (size < 0 || (size_t)size >= sizeof(text))
		errno = ENAMETOOLONG;
	else if (ftruncate(mark->file, 0) == 0 &&
		 pwrite(mark->file, text, (size_t)size, 0) == size)
		return;
	base_report("cannot note what has to be cleaned up if this nftrace is "
		    "killed: %s",
		    strerror(errno));
}

void session_mark_close(struct session_mark *mark)
{
	if (mark->file >= 0)
		(void)close(mark->file);
	if (mark->folder >= 0)
		(void)close(mark->folder);
	mark->file = mark->folder = -1;
}

void session_mark_remove(struct session_mark *mark)
{
	if (mark->file >= 0)
		(void)unlinkat(mark->folder, mark->name, 0);
	session_mark_close(mark);
}

/*
 * Opens and locks the mark @name if its process has gone. Returns a negative errno
 * if it hasn't, and for whatever isn't a mark.
 */
static int open_left(int folder, const char *name)
{
	int file = openat(folder, name,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (file < 0)
		return -errno;
	if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
	    info.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0)
		return file;
	(void)close(file);
	return -EBUSY;
}

/* Reads a mark. Returns 0; -EINVAL: of another session daemon, or no mark. */
static int read_mark(int file, struct session_leftover *leftover)
{
	char text[MARK_SIZE];
	char home[PATH_MAX], path[PATH_MAX];
	uintmax_t device, inode;
	ssize_t size = read(file, text, sizeof(text) - 1);
	int end = 0;

	*leftover = (struct session_leftover){ 0 };
	if (size < 0)
		return -errno;
	text[size] = '\0';
	if (sscanf(text, FORMAT_READ, home, leftover->session,
		   &leftover->created, &device, &inode, path, &end) != 6 ||
	    end != size || strcmp(home, find_home()) != 0)
		return -EINVAL;
	if (!strcmp(leftover->session, NONE))
		leftover->session[0] = '\0';
	if (path[0] != '/')
		return 0;
	leftover->folder.path = strdup(path);
	leftover->folder.device = (dev_t)device;
	leftover->folder.inode = (ino_t)inode;
	return leftover->folder.path ? 0 : -ENOMEM;
}

static void clean_up(int folder, const char *name,
		     int (*clean)(const struct session_leftover *leftover))
{
	int file = open_left(folder, name);
	struct session_leftover leftover;
	struct stat info;

	if (file < 0)
		return;
	/* An empty one: its process was killed before anything was there. */
	if (fstat(file, &info) == 0 && !info.st_size) {
		(void)unlinkat(folder, name, 0);
	} else if (!read_mark(file, &leftover)) {
		if (!clean(&leftover))
			(void)unlinkat(folder, name, 0);
		free(leftover.folder.path);
	}
	(void)close(file);
}

void session_mark_each(const char *kind,
		       int (*clean)(const struct session_leftover *leftover))
{
	char *why = NULL;
	int folder = base_runtime_open(&why);
	DIR *directory = folder < 0 ? NULL : fdopendir(folder);
	size_t length = strlen(kind);
	const struct dirent *entry;

	free(why);
	while (directory && (entry = readdir(directory)))
		if (!strncmp(entry->d_name, kind, length) &&
		    entry->d_name[length] == '-')
			clean_up(folder, entry->d_name, clean);
	if (directory)
		(void)closedir(directory);
	else if (folder >= 0)
		(void)close(folder);
}

/* Copies the session of that name; false if there is none. */
static bool find_session(const char *name, struct lttng_session *session,
			 uint64_t *created)
{
	struct lttng_session *sessions = NULL;
	int count = lttng_list_sessions(&sessions);
	bool is_found = false;

	for (int i = 0; i < count && !is_found; i++) {
		is_found = !strcmp(sessions[i].name, name) &&
			   lttng_session_get_creation_time(&sessions[i],
							   created) == LTTNG_OK;
		if (is_found)
			*session = sessions[i];
	}
	free(sessions);
	return is_found;
}

int session_leftover_set_session(struct session_leftover *leftover,
				 const char *name)
{
	struct lttng_session session;

	(void)snprintf(leftover->session, sizeof(leftover->session), "%s",
		       name);
	return find_session(name, &session, &leftover->created) ? 0 : -ENOENT;
}

bool session_leftover_has_session(const struct session_leftover *leftover,
				  char path[PATH_MAX])
{
	struct lttng_session session;
	uint64_t created;

	if (!leftover->session[0] ||
	    !find_session(leftover->session, &session, &created) ||
	    created != leftover->created)
		return false;
	if (path)
		(void)snprintf(path, PATH_MAX, "%s", session.path);
	return true;
}
