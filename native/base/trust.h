/* SPDX-License-Identifier: MIT */
/* Opens folders that no other user can exchange for another one. */
#ifndef NFTRACE_NATIVE_BASE_TRUST_H
#define NFTRACE_NATIVE_BASE_TRUST_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * What is asked of each folder and symbolic link on the way from / to a folder,
 * and of the folder itself.
 */
enum base_trust {
	/*
	 * It belongs to root or to this user, and nobody else can write to it
	 * unless it is sticky, as /tmp is.
	 */
	BASE_TRUST_OWN,
	/*
	 * Where everybody can write (the folder is sticky, then), it belongs to
	 * root or to this user: nobody has planted it. Of folders that others
	 * own the user knows, who has named the path.
	 */
	BASE_TRUST_NAMED,
};

/*
 * Opens the folder @path, which must be absolute, with O_PATH. Unless @is_made
 * is NULL, makes the folders that aren't there, with mode 0770 and the process's
 * umask; *@is_made says whether the last one was made. Returns a descriptor that
 * the caller closes; or a negative errno, -EPERM for a folder that can't be trusted,
 * with *@why, a text for the user that the caller frees, NULL if out of memory.
 */
int base_trust_open(const char *path, enum base_trust trust, bool *is_made,
		    char **why);

/*
 * Whether a file belongs to root or to this user; or to the owner of /, who is
 * root where a user namespace has no number for root.
 */
bool base_trust_owner(const struct stat *info);

#endif /* NFTRACE_NATIVE_BASE_TRUST_H */
