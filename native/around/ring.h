/* SPDX-License-Identifier: MIT */
/* Lines that wait, by time, for being wanted or for their turn. */
#ifndef NFTRACE_NATIVE_AROUND_RING_H
#define NFTRACE_NATIVE_AROUND_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct around_ring_entry {
	char *line; /* owned by the ring; one line or several */
	size_t size;
	int64_t time;
	uint64_t threads[2]; /* serials of those it concerns; 0: none */
	const void *host;    /* weak */
	int64_t cpu_id;
	bool is_wanted;
};

/* Zeroed: none. */
struct around_ring {
	struct around_ring_entry *entries; /* owned */
	size_t nr_places;		   /* a power of two, or 0 */
	size_t first;
	size_t nr_entries;
	size_t bytes; /* of the entries and their lines */
};

/* The oldest is 0; @index is below ring->nr_entries. */
struct around_ring_entry *around_ring_at(const struct around_ring *ring,
					 size_t index);

/*
 * Adds an entry like @what with a copy of @line, @size bytes. Returns 0 or
 * -ENOMEM.
 */
int around_ring_add(struct around_ring *ring,
		    const struct around_ring_entry *what, const char *line,
		    size_t size);

/* Drops the oldest, of which there must be one. */
void around_ring_drop(struct around_ring *ring);

void around_ring_free(struct around_ring *ring);

#endif /* NFTRACE_NATIVE_AROUND_RING_H */
