/* SPDX-License-Identifier: MIT */
/* What `nftrace tail` leaves behind if it is killed. */
#ifndef NFTRACE_NATIVE_LIVE_LEFTOVER_H
#define NFTRACE_NATIVE_LIVE_LEFTOVER_H

#include <stdbool.h>

#include "session/mark.h"

/* The kind of tail's marks; see session/mark.h. */
#define CLI_TAIL_MARK "tail"

/*
 * Removes the folder and destroys the session of a `nftrace tail` that was
 * killed; the session isn't waited for, as its relay daemon is gone. Returns
 * false if something is left.
 */
bool cli_tail_leftover_erase(const struct cli_leftover *leftover);

/* Does that for all whose marks there are. */
void cli_tail_leftover_clean(void);

#endif /* NFTRACE_NATIVE_LIVE_LEFTOVER_H */
