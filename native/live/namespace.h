/* SPDX-License-Identifier: MIT */
/* A network namespace that only this process and its children are in. */
#ifndef NFTRACE_NATIVE_LIVE_NAMESPACE_H
#define NFTRACE_NATIVE_LIVE_NAMESPACE_H

/*
 * Moves this process, which has one thread, into a new network namespace, whose
 * loopback interface is up. Without CAP_SYS_ADMIN that takes a user namespace as
 * well, in which this user and group keep their numbers, and no others have any.
 * Returns 0, or a negative errno after saying why.
 */
int live_namespace_enter(void);

#endif /* NFTRACE_NATIVE_LIVE_NAMESPACE_H */
