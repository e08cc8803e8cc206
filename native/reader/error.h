/* SPDX-License-Identifier: MIT */
/* libbabeltrace2's errors as lines on stderr. */
#ifndef NFTRACE_NATIVE_READER_ERROR_H
#define NFTRACE_NATIVE_READER_ERROR_H

/*
 * Prints @what and why, which is the first cause of the current thread's error;
 * takes that error.
 */
void reader_error(const char *what);

#endif /* NFTRACE_NATIVE_READER_ERROR_H */
