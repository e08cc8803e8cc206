/* SPDX-License-Identifier: MIT */
/* An event and the descriptions of it that LTTng-UST is given. */
#ifndef NFTRACE_PROVIDER_EVENT_H
#define NFTRACE_PROVIDER_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <lttng/ust-events.h>
#include <lttng/tracepoint-types.h>

#include "nft.h"

struct nft__process;

/*
 * Immortal: LTTng-UST may keep pointers into its descriptions after they are
 * unregistered (a session with two channels destroys only the first's
 * recorder), and the state word is mapped into other languages' memory.
 */
struct nft__event {
	struct nft_event handle; /* first: the public part */
	struct lttng_ust_tracepoint tracepoint;
	struct lttng_ust_tracepoint *tracepoints[1];
	struct lttng_ust_event_desc description;
	const struct lttng_ust_event_desc *descriptions[1];
	struct lttng_ust_tracepoint_class class;
	struct lttng_ust_probe_desc probe;
	int loglevel;
	const int *loglevel_address;

	enum nft_type *types; /* nr_fields of them */
	size_t nr_fields;
	size_t align; /* largest alignment of a field, bytes */

	struct nft__process *process;
	struct lttng_ust_registered_probe *registered; /* NULL: not yet */
	size_t nr_enabled;	 /* providers that hold it enabled */
	struct nft__event *next; /* in struct nft__process */
};

static inline struct nft__event *nft__event(const struct nft_event *handle)
{
	return (struct nft__event *)handle;
}

/*
 * The event of this description: an equal one that exists already, or a new
 * one. Arguments as checked by nft_provider_add_event(). NULL: no memory.
 */
struct nft__event *nft__event_intern(struct nft__process *process,
				     const char *provider, const char *name,
				     int loglevel,
				     const struct nft_field *fields,
				     size_t nr_fields);

/*
 * Registers the event if it is not yet, and lets nft_fire() record it. Returns
 * 0, -EEXIST, -ENOMEM or -ECHILD, as nft_provider_enable(). Call with
 * process->lock held.
 */
int nft__event_enable(struct nft__event *event);

/* Undoes one nft__event_enable(). Call with process->lock held. */
void nft__event_disable(struct nft__event *event);

#endif /* NFTRACE_PROVIDER_EVENT_H */
