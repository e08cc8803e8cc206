/* SPDX-License-Identifier: MIT */
/* What one Node environment (main thread or worker) owns of the addon. */
#ifndef NFTRACE_NATIVE_ADDON_INSTANCE_H
#define NFTRACE_NATIVE_ADDON_INSTANCE_H

#include <node_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../provider/nft_bunyan.h"
#include "memory.h"

/* Who logs: the part of a record that rarely changes. */
struct addon_identity {
	char *strings; /* owned: name and hostname, each with its NUL; or NULL */
	struct nft_string name;	    /* weak, into strings */
	struct nft_string hostname; /* weak, into strings */
	int32_t pid;
};

struct addon_instance {
	const struct nft_bunyan *bunyan;   /* NULL: tracing is not available */
	struct addon_identity *identities; /* owned array */
	size_t nr_identities;
	char *scratch; /* owned: a record's strings while it is fired */
	size_t scratch_size;
	const double
		*head; /* weak, ADDON_HEAD_SIZE numbers; NULL: not given yet */
	napi_ref head_ref; /* holds head; owned by the environment */
	struct addon_memories *memories; /* owned, with its own finalizers */
};

/* Makes @env's instance, freed with it. Returns NULL after throwing. */
struct addon_instance *addon_instance_create(napi_env env);

/*
 * Gets the arguments of a call, undefined where there are fewer than
 * *@nr_arguments (which becomes how many there were), and @env's instance,
 * which each function of the addon carries as its data. Returns NULL after
 * throwing.
 */
struct addon_instance *addon_instance_enter(napi_env env,
					    napi_callback_info info,
					    size_t *nr_arguments,
					    napi_value *arguments);

/*
 * Makes instance->scratch hold at least @size bytes, keeping its first @keep.
 * Returns whether there was memory.
 */
bool addon_instance_reserve(struct addon_instance *instance, size_t size,
			    size_t keep);

#endif /* NFTRACE_NATIVE_ADDON_INSTANCE_H */
