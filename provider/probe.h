/* SPDX-License-Identifier: MIT */
/* The function that LTTng-UST connects to each of our tracepoints. */
#ifndef NFTRACE_PROVIDER_PROBE_H
#define NFTRACE_PROVIDER_PROBE_H

#include "nft.h"

struct nft__event;

/*
 * Does with one event what @data, an LTTng-UST event, is for: records it or
 * sends a notification. Only nft_fire() calls it, inside an RCU read section.
 */
void nft__probe(void *data, const struct nft__event *event,
		const union nft_value *values, void *caller);

#endif /* NFTRACE_PROVIDER_PROBE_H */
