/* SPDX-License-Identifier: MIT */
/* The private folder for small files that last while a command runs. */
#ifndef NFTRACE_NATIVE_BASE_RUNTIME_H
#define NFTRACE_NATIVE_BASE_RUNTIME_H

/*
 * Opens this user's folder, and makes it if it isn't there: root's is
 * /run/nftrace, another user's $XDG_RUNTIME_DIR/nftrace, else
 * /run/user/UID/nftrace, else /tmp/nftrace-UID. It belongs to this user, and
 * nobody else can look into it. Returns a descriptor that the caller closes; or a
 * negative errno with *@why, a text for the user that the caller frees, NULL if out
 * of memory.
 */
int base_runtime_open(char **why);

#endif /* NFTRACE_NATIVE_BASE_RUNTIME_H */
