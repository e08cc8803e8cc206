// SPDX-License-Identifier: MIT
/* Lines that wait, by time; see around/ring.h. */
#include "around/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 256

struct around_ring_entry *around_ring_at(const struct around_ring *ring,
					 size_t index)
{
	return &ring->entries[(ring->first + index) & (ring->nr_places - 1)];
}

static size_t bytes_of(const struct around_ring_entry *entry)
{
	return entry->size + sizeof(*entry);
}

/* Returns 0 or -ENOMEM. */
static int grow(struct around_ring *ring)
{
	size_t nr_places = ring->nr_places ? ring->nr_places * 2 : FIRST_PLACES;
	struct around_ring_entry *grown = calloc(nr_places, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	for (size_t i = 0; i < ring->nr_entries; i++)
		grown[i] = *around_ring_at(ring, i);
	free(ring->entries);
	ring->entries = grown;
	ring->nr_places = nr_places;
	ring->first = 0;
	return 0;
}

int around_ring_add(struct around_ring *ring,
		    const struct around_ring_entry *what, const char *line,
		    size_t size)
{
	struct around_ring_entry entry = *what;

	if (ring->nr_entries == ring->nr_places && grow(ring))
		return -ENOMEM;
	entry.size = size;
	entry.line = malloc(size);
	if (!entry.line)
		return -ENOMEM;
	memcpy(entry.line, line, size);
	*around_ring_at(ring, ring->nr_entries++) = entry;
	ring->bytes += bytes_of(&entry);
	return 0;
}

void around_ring_drop(struct around_ring *ring)
{
	struct around_ring_entry *entry = around_ring_at(ring, 0);

	ring->bytes -= bytes_of(entry);
	free(entry->line);
	ring->first = (ring->first + 1) & (ring->nr_places - 1);
	ring->nr_entries--;
}

void around_ring_free(struct around_ring *ring)
{
	while (ring->nr_entries)
		around_ring_drop(ring);
	free(ring->entries);
	*ring = (struct around_ring){ 0 };
}
