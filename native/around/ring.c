// SPDX-License-Identifier: MIT
/* Lines that wait, by time; see around/ring.h. */
#include "around/ring.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 256

struct reader_ring_entry *reader_ring_at(const struct reader_ring *ring,
					 size_t index)
{
	return &ring->entries[(ring->first + index) & (ring->nr_places - 1)];
}

static size_t bytes_of(const struct reader_ring_entry *entry)
{
	return entry->size + sizeof(*entry);
}

static bool grow(struct reader_ring *ring)
{
	size_t nr_places = ring->nr_places ? ring->nr_places * 2 : FIRST_PLACES;
	struct reader_ring_entry *grown = calloc(nr_places, sizeof(*grown));

	if (!grown)
		return false;
	for (size_t i = 0; i < ring->nr_entries; i++)
		grown[i] = *reader_ring_at(ring, i);
	free(ring->entries);
	ring->entries = grown;
	ring->nr_places = nr_places;
	ring->first = 0;
	return true;
}

bool reader_ring_add(struct reader_ring *ring,
		     const struct reader_ring_entry *what, const char *line,
		     size_t size)
{
	struct reader_ring_entry entry = *what;

	if (ring->nr_entries == ring->nr_places && !grow(ring))
		return false;
	entry.size = size;
	entry.line = malloc(size);
	if (!entry.line)
		return false;
	memcpy(entry.line, line, size);
	*reader_ring_at(ring, ring->nr_entries++) = entry;
	ring->bytes += bytes_of(&entry);
	return true;
}

void reader_ring_drop(struct reader_ring *ring)
{
	struct reader_ring_entry *entry = reader_ring_at(ring, 0);

	ring->bytes -= bytes_of(entry);
	free(entry->line);
	ring->first = (ring->first + 1) & (ring->nr_places - 1);
	ring->nr_entries--;
}

void reader_ring_free(struct reader_ring *ring)
{
	while (ring->nr_entries)
		reader_ring_drop(ring);
	free(ring->entries);
	*ring = (struct reader_ring){ 0 };
}
