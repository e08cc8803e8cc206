/* SPDX-License-Identifier: MIT */
/* A table from the address of something to what is known about it. */
#ifndef NFTRACE_NATIVE_BASE_MAP_H
#define NFTRACE_NATIVE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct base_map_entry {
	const void *key; /* weak; NULL: a free place */
	void *value;	 /* weak */
};

/* Zeroed is empty. */
struct base_map {
	struct base_map_entry *entries; /* owned */
	size_t nr_places;		/* a power of two, or 0 */
	size_t nr_used;
};

/* What is known about @key; NULL if nothing is. */
void *base_map_get(const struct base_map *map, const void *key);

/* Adds a key that isn't there. Returns 0 or -ENOMEM. */
int base_map_add(struct base_map *map, const void *key, void *value);

/* Frees the table, after giving each value to @free_value. */
void base_map_free(struct base_map *map, void (*free_value)(void *value));

#endif /* NFTRACE_NATIVE_BASE_MAP_H */
