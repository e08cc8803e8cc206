/* SPDX-License-Identifier: MIT */
/* Looks at session daemons from outside. */
#ifndef NFTRACE_NATIVE_SESSION_DAEMONS_H
#define NFTRACE_NATIVE_SESSION_DAEMONS_H

#include "session/collect.h"

/*
 * Finds out about root's session daemon and, for another user, about the user's
 * own: where each would be, whether it answers, and if not, why. Returns how
 * many these are. Ends the process when there is no memory.
 */
size_t session_status_find_daemons(
	struct session_daemon_status daemons[SESSION_NR_DAEMONS]);

#endif /* NFTRACE_NATIVE_SESSION_DAEMONS_H */
