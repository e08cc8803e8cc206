/* SPDX-License-Identifier: MIT */
/* What `nftrace tail` leaves behind if it is killed. */
#ifndef NFTRACE_NATIVE_LIVE_LEFTOVER_H
#define NFTRACE_NATIVE_LIVE_LEFTOVER_H

#include "session/mark.h"

/* The kind of tail's marks; see session/mark.h. */
#define LIVE_MARK "tail"

/*
 * Removes the folder and destroys the session of a `nftrace tail` that was
 * killed; the session isn't waited for, as its relay daemon is gone. Returns 0,
 * or a negative errno if something is left.
 */
int live_leftover_erase(const struct session_leftover *leftover);

/* Does that for all whose marks there are. */
void live_leftover_clean(void);

#endif /* NFTRACE_NATIVE_LIVE_LEFTOVER_H */
