/* SPDX-License-Identifier: MIT */
/* Bytes that somebody else owns. */
#ifndef NFTRACE_NATIVE_BASE_SLICE_H
#define NFTRACE_NATIVE_BASE_SLICE_H

#include <stddef.h>

struct base_slice {
	const char *data; /* weak */
	size_t size;
};

#endif /* NFTRACE_NATIVE_BASE_SLICE_H */
