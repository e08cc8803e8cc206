/* SPDX-License-Identifier: MIT */
/* Folders for files that go away again. */
#ifndef NFTRACE_NATIVE_CLI_READER_TEMPORARY_H
#define NFTRACE_NATIVE_CLI_READER_TEMPORARY_H

/* Where they are: $TMPDIR, else /tmp. */
const char *reader_temporary_place(void);

/*
 * Makes a folder there whose name begins with @prefix, for this user alone.
 * Returns its path, which the caller frees; NULL after printing why it can't.
 */
char *reader_temporary_make(const char *prefix);

/* Removes a folder with all that is in it; prints why it can't. */
void reader_temporary_remove(const char *folder);

#endif /* NFTRACE_NATIVE_CLI_READER_TEMPORARY_H */
