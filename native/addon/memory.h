/* SPDX-License-Identifier: MIT */
/* The memory in which lib/record/encode.js writes records, by handles. */
#ifndef NFTRACE_NATIVE_ADDON_MEMORY_H
#define NFTRACE_NATIVE_ADDON_MEMORY_H

#include <node_api.h>
#include <stddef.h>

/* An environment's buffers, each known until JavaScript has lost it. */
struct addon_memories;

/* Returns NULL when out of memory; see addon_memories_release(). */
struct addon_memories *addon_memories_create(void);

/* Gives the environment's hold up; what is still known holds it, too. NULL is fine. */
void addon_memories_release(struct addon_memories *memories);

/*
 * Takes in @value, a Uint8Array. It isn't kept from being collected: its handle is
 * good for as long as JavaScript holds it, and no later buffer gets the same one.
 * Returns the handle, an integer above 0; 0 when there are too many, or when
 * @value is something else.
 */
double addon_memories_add(struct addon_memories *memories, napi_env env,
			  napi_value value);

/* The bytes behind a handle, and how many; NULL if it isn't one. */
const char *addon_memories_get(const struct addon_memories *memories,
			       double handle, size_t *size);

#endif /* NFTRACE_NATIVE_ADDON_MEMORY_H */
