/* SPDX-License-Identifier: MIT */
/*
 * What a process has once, however many copies of this library it loads: the
 * functions of liblttng-ust and the list of events.
 */
#ifndef NFTRACE_PROVIDER_PROCESS_H
#define NFTRACE_PROVIDER_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <lttng/ust-events.h>
#include <lttng/tracepoint-types.h>

struct nft__event;

/*
 * The functions of liblttng-ust that we call. RCU here is LTTng-UST's own
 * flavour, which registers a reading thread by itself.
 */
struct nft__ust {
	struct lttng_ust_registered_probe *(*probe_register)(
		const struct lttng_ust_probe_desc *desc);
	int (*module_register)(struct lttng_ust_tracepoint *const *tracepoints,
			       int count);
	int (*module_unregister)(
		struct lttng_ust_tracepoint *const *tracepoints);
	void (*rcu_read_lock)(void);
	void (*rcu_read_unlock)(void);
};

/*
 * Shared by every copy of this library in the process through the exported
 * symbol NFT__PROCESS_SYMBOL. Whoever changes this struct, struct nft__event
 * or the arguments of a probe raises the number in that symbol and in
 * NFT__SIGNATURE_PREFIX: copies of different numbers then don't see each
 * other, and LTTng, which compares signatures, does not connect their probes.
 */
struct nft__process {
	struct nft__ust ust;
	char unavailable[256]; /* why ust can't be used; "" when it can */
	pthread_once_t loaded; /* guards the two above */
	pthread_mutex_t lock;  /* guards adding to events, and registering */
	struct nft__event *events; /* read without lock after fork() */
	bool forked; /* a child of fork() without exec: nothing is recorded */
	int off;     /* always 0: the state word of a disabled event */
};

#define NFT__PROCESS_SYMBOL   nft__process_1
#define NFT__SIGNATURE_PREFIX "nftrace/1"

/* This process's state, with liblttng-ust loaded if it can be. */
struct nft__process *nft__process(void);

#endif /* NFTRACE_PROVIDER_PROCESS_H */
