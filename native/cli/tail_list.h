/* SPDX-License-Identifier: MIT */
/* The live sessions that a relay daemon has. */
#ifndef NFTRACE_NATIVE_CLI_TAIL_LIST_H
#define NFTRACE_NATIVE_CLI_TAIL_LIST_H

#include <stdbool.h>

#include "reader_source.h"

/*
 * Adds a source for each live session at @url, a relay daemon's
 * "net://HOST[:PORT]", or for those called @session if that isn't NULL; a @url
 * that names a session itself is a source by itself. Prints which. Returns false
 * after printing why there is none.
 */
bool cli_tail_list(struct reader_sources *sources, const struct reader_ctf *ctf,
		   const char *url, const char *session);

#endif /* NFTRACE_NATIVE_CLI_TAIL_LIST_H */
