/* SPDX-License-Identifier: MIT */
/* The live sessions that a relay daemon has. */
#ifndef NFTRACE_NATIVE_CLI_TAIL_LIST_H
#define NFTRACE_NATIVE_CLI_TAIL_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/source.h"

/* Which sessions are wanted, and those that have been found. */
struct cli_tail_list {
	const char *url;     /* weak; of a relay daemon, or of a session */
	const char *session; /* weak; a name; NULL: any */
	/* The rest is cli/tail_list.c's own. */
	char **known; /* owned, and each of them: URLs */
	size_t nr_known;
};

/*
 * Adds a source for each live session at list->url, a relay daemon's
 * "net://HOST[:PORT]", or for those called list->session if that isn't NULL; a
 * URL that names a session itself is a source by itself. Prints which. Returns
 * false after printing why there is none.
 */
bool cli_tail_list_open(struct cli_tail_list *list,
			struct reader_sources *sources,
			const struct reader_ctf *ctf);

/*
 * Adds a source for each session that has come since; none if the relay daemon
 * doesn't answer. Returns false when out of memory.
 */
bool cli_tail_list_more(struct cli_tail_list *list,
			struct reader_sources *sources,
			const struct reader_ctf *ctf);

void cli_tail_list_free(struct cli_tail_list *list);

#endif /* NFTRACE_NATIVE_CLI_TAIL_LIST_H */
