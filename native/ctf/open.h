/* SPDX-License-Identifier: MIT */
/*
 * Opens the files of a trace, in whose folder anybody may have put a FIFO, for
 * which open(2) waits, or a device.
 */
#ifndef NFTRACE_NATIVE_CTF_OPEN_H
#define NFTRACE_NATIVE_CTF_OPEN_H

#include <stdio.h>

/*
 * Opens the regular file at @path, or that a symbolic link there leads to, for
 * reading; never waits. Returns its descriptor, or a negative errno: -EISDIR for
 * a folder, -ENXIO for anything else that isn't a regular file.
 */
int ctf_open(const char *path);

/* The same as a stream of the C library's; NULL, with errno set. */
FILE *ctf_open_stream(const char *path);

/* Says that @path can't be read; @error as ctf_open() returns it. */
void ctf_open_report(const char *path, int error);

#endif /* NFTRACE_NATIVE_CTF_OPEN_H */
