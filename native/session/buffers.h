/* SPDX-License-Identifier: MIT */
/* The size of a channel's ring buffers, as it is written on a command line. */
#ifndef NFTRACE_NATIVE_SESSION_BUFFERS_H
#define NFTRACE_NATIVE_SESSION_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

/* Sub-buffers of one CPU's ring buffer. Zeros: LTTng's default. */
struct session_buffers {
	uint64_t size;	/* of one, in bytes; a power of two */
	uint64_t count; /* a power of two, at least 2 */
};

/*
 * Parses "SIZE×N" (or "SIZExN"), SIZE with a suffix k, M or G; both are rounded
 * up to what LTTng takes: powers of two, at least a page and at least 2.
 * Returns false when @text is something else.
 */
bool session_buffers_parse(const char *text, struct session_buffers *buffers);

#endif /* NFTRACE_NATIVE_SESSION_BUFFERS_H */
