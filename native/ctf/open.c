// SPDX-License-Identifier: MIT
/* Opens the files of a trace; see ctf/open.h. */
#include "ctf/open.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"

static int check(const struct stat *info)
{
	if (S_ISREG(info->st_mode))
		return 0;
	return S_ISDIR(info->st_mode) ? -EISDIR : -ENXIO;
}

int ctf_open(const char *path)
{
	struct stat info;
	int error, fd;

	/* Some devices do something when they are opened, and FIFOs. */
	if (stat(path, &info) < 0)
		return -errno;
	error = check(&info);
	if (error)
		return error;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* By now it may be another one. */
	error = fstat(fd, &info) < 0 ? -errno : check(&info);
	if (!error)
		return fd;
	(void)close(fd);
	return error;
}

FILE *ctf_open_stream(const char *path)
{
	int fd = ctf_open(path);
	FILE *file;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	file = fdopen(fd, "r");
	if (!file)
		(void)close(fd);
	return file;
}

void ctf_open_report(const char *path, int error)
{
	if (error == -EISDIR || error == -ENXIO)
		base_report("%s is not a regular file", path);
	else
		base_report("cannot read %s: %s", path, strerror(-error));
}
