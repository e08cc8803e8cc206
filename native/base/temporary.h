/* SPDX-License-Identifier: MIT */
/* Folders for files that go away again. */
#ifndef NFTRACE_NATIVE_BASE_TEMPORARY_H
#define NFTRACE_NATIVE_BASE_TEMPORARY_H

#include <sys/types.h>

/* Zeroed: there is none. */
struct base_temporary {
	char *path;   /* owned */
	dev_t device; /* with the next: which folder it is, whatever its path */
	ino_t inode;
};

/*
 * Makes a folder in $TMPDIR, or else in /tmp, whose name begins with @prefix,
 * for this user alone. Returns 0; or a negative errno after saying why it can't: one
 * reason is that another user could exchange the folder.
 */
int base_temporary_make(struct base_temporary *folder, const char *prefix);

/*
 * Removes that very folder with all that is in it, unless it is gone already.
 * Returns 0 or a negative errno.
 */
int base_temporary_erase(const struct base_temporary *folder);

/* The same; says why it can't, and frees the path. */
void base_temporary_remove(struct base_temporary *folder);

#endif /* NFTRACE_NATIVE_BASE_TEMPORARY_H */
