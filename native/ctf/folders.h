/* SPDX-License-Identifier: MIT */
/* Finds traces below folders. */
#ifndef NFTRACE_NATIVE_CTF_FOLDERS_H
#define NFTRACE_NATIVE_CTF_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Folders with a file "metadata", in the order of their names. Zeroed: none. */
struct ctf_folders {
	char **paths; /* owned, and each of them */
	size_t nr_paths;
	size_t capacity;
	uint64_t bytes;	   /* of the traces' data */
	bool may_be_empty; /* the caller's: no trace, nor a folder, is fine */
	bool is_partial;   /* some file or folder could not be looked at */
};

/*
 * Finds the trace folders in @path, itself included. Prints what could not be
 * looked at, which is no error: see .is_partial. Returns 0 or -ENOMEM.
 */
int ctf_folders_find(struct ctf_folders *folders, const char *path);

/* Sorts the folders and leaves out what was found twice. */
void ctf_folders_sort(struct ctf_folders *folders);

void ctf_folders_free(struct ctf_folders *folders);

#endif /* NFTRACE_NATIVE_CTF_FOLDERS_H */
