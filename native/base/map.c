// SPDX-License-Identifier: MIT
/* A table keyed by addresses, with open addressing; see base/map.h. */
#include "base/map.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define FIRST_PLACES 64

/* The place of @key, or the free one where it would go. */
static struct base_map_entry *find(const struct base_map *map, const void *key)
{
	/* Fibonacci hashing; the lowest bits of an address are all zero. */
	size_t place = (size_t)(((uint64_t)(uintptr_t)key >> 4) *
					UINT64_C(0x9e3779b97f4a7c15) >>
				32);

	for (;; place++) {
		struct base_map_entry *entry =
			&map->entries[place & (map->nr_places - 1)];

		if (!entry->key || entry->key == key)
			return entry;
	}
}

void *base_map_get(const struct base_map *map, const void *key)
{
	return map->nr_places ? find(map, key)->value : NULL;
}

/* Returns 0 or -ENOMEM. */
static int grow(struct base_map *map)
{
	struct base_map grown = {
		.nr_places = map->nr_places ? map->nr_places * 2 : FIRST_PLACES,
		.nr_used = map->nr_used,
	};

	grown.entries = calloc(grown.nr_places, sizeof(*grown.entries));
	if (!grown.entries)
		return -ENOMEM;
	for (size_t i = 0; i < map->nr_places; i++)
		if (map->entries[i].key)
			*find(&grown, map->entries[i].key) = map->entries[i];
	free(map->entries);
	*map = grown;
	return 0;
}

int base_map_add(struct base_map *map, const void *key, void *value)
{
	if (map->nr_used * 2 >= map->nr_places && grow(map))
		return -ENOMEM;
	*find(map, key) = (struct base_map_entry){ .key = key, .value = value };
	map->nr_used++;
	return 0;
}

void base_map_free(struct base_map *map, void (*free_value)(void *value))
{
	for (size_t i = 0; i < map->nr_places; i++)
		if (map->entries[i].key)
			free_value(map->entries[i].value);
	free(map->entries);
	*map = (struct base_map){ 0 };
}
