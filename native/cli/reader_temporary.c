// SPDX-License-Identifier: MIT
/* Folders for files that go away again; see reader_temporary.h. */
#include "reader_temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define MAX_OPEN_FOLDERS 8

const char *reader_temporary_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

char *reader_temporary_make(const char *prefix)
{
	char *folder;

	if (asprintf(&folder, "%s/%sXXXXXX", reader_temporary_place(), prefix) <
	    0) {
		cli_error("out of memory");
		return NULL;
	}
	if (!mkdtemp(folder)) {
		cli_error(
			"cannot make a temporary folder in %s: %s; set TMPDIR "
			"to a folder that can be written to",
			reader_temporary_place(), strerror(errno));
		free(folder);
		return NULL;
	}
	return folder;
}

static int remove_entry(const char *path, const struct stat *info, int type,
			struct FTW *ftw)
{
	(void)info;
	(void)type;
	(void)ftw;
	return remove(path);
}

void reader_temporary_remove(const char *folder)
{
	if (nftw(folder, remove_entry, MAX_OPEN_FOLDERS,
		 FTW_DEPTH | FTW_PHYS) != 0)
		cli_error("cannot remove %s: %s", folder, strerror(errno));
}
