/* SPDX-License-Identifier: MIT */
/* LTTng's index files: where the packets of a stream are. */
#ifndef NFTRACE_NATIVE_CLI_READER_INDEX_H
#define NFTRACE_NATIVE_CLI_READER_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packets of a stream's file, one behind the other. */
struct reader_span {
	uint64_t offset; /* bytes, as the next one */
	uint64_t size;
};

/* What an index file tells about the packets in a stream's file. */
struct reader_index {
	uint64_t nr_packets;
	uint64_t bytes;	      /* of all of them */
	uint64_t file_size;   /* which may be less, or more */
	uint64_t whole_bytes; /* of the packets that the file has all of */
	uint64_t nr_damaged;  /* of these: they don't begin as a packet */
	bool is_damaged;    /* the index itself; the rest is of its beginning */
	uint64_t stream_id; /* with the next one: which stream it is */
	uint64_t instance_id;
	bool has_events;       /* some packet has more than its headers */
	uint64_t first_number; /* of the first packet; a stream begins with 0 */
	/* Those that the file has all of and that aren't damaged. */
	struct reader_span *spans; /* owned */
	size_t nr_spans;
};

/*
 * Reads the index of the stream @name in @folder, and the first bytes of each
 * packet. The caller frees *@index with reader_index_free() in any case. Without
 * a valid index, nr_packets is 0. Returns false without memory.
 */
bool reader_index_read(struct reader_index *index, const char *folder,
		       const char *name);

void reader_index_free(struct reader_index *index);

#endif /* NFTRACE_NATIVE_CLI_READER_INDEX_H */
