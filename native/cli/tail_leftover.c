// SPDX-License-Identifier: MIT
/* What a killed `nftrace tail` leaves behind; see tail_leftover.h. */
#include "tail_leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "reader_temporary.h"

/* Locked by the process that uses the folder; holds the daemon's pid. */
#define MARK		 "pid"
#define MAX_COMMAND_LINE 4096
#define WAIT_NS		 (10L * 1000 * 1000)
#define MAX_WAITS	 200

int cli_leftover_mark(const char *folder, pid_t pid)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/" MARK, folder) < 0)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  S_IRUSR | S_IWUSR);
	free(path);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX) < 0 || dprintf(fd, "%ld\n", (long)pid) < 0) {
		int error = errno;

		(void)close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/*
 * Whether process @pid is the relay daemon of @folder: its command line has
 * that as an argument.
 */
static bool serves(long pid, const char *folder)
{
	char path[64];
	char line[MAX_COMMAND_LINE + 1] = "";
	size_t size;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	size = fread(line, 1, MAX_COMMAND_LINE, file);
	(void)fclose(file);
	for (size_t at = 0; at < size; at += strlen(line + at) + 1)
		if (!strcmp(line + at, folder))
			return true;
	return false;
}

static void end_daemon(long pid, const char *folder)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };

	if (pid <= 0 || !serves(pid, folder) || kill((pid_t)pid, SIGTERM) < 0)
		return;
	for (int i = 0; i < MAX_WAITS && serves(pid, folder); i++)
		(void)nanosleep(&wait, NULL);
}

/* Removes @folder unless some process has it marked. */
static void remove_unused(const char *folder)
{
	char text[32] = "";
	char *path;
	int fd;

	if (asprintf(&path, "%s/" MARK, folder) < 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	free(path);
	if (fd < 0) /* another user's, or not marked yet */
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	    read(fd, text, sizeof(text) - 1) > 0) {
		end_daemon(strtol(text, NULL, 10), folder);
		reader_temporary_remove(folder);
	}
	(void)close(fd);
}

void cli_leftover_remove(void)
{
	const char *place = reader_temporary_place();
	struct dirent *entry;
	DIR *directory = opendir(place);

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		char *folder;

		if (strncmp(entry->d_name, CLI_LEFTOVER_PREFIX,
			    sizeof(CLI_LEFTOVER_PREFIX) - 1) != 0 ||
		    asprintf(&folder, "%s/%s", place, entry->d_name) < 0)
			continue;
		remove_unused(folder);
		free(folder);
	}
	(void)closedir(directory);
}
