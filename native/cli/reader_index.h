/* SPDX-License-Identifier: MIT */
/* LTTng's index files: where the packets of a stream are. */
#ifndef NFTRACE_NATIVE_CLI_READER_INDEX_H
#define NFTRACE_NATIVE_CLI_READER_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* What an index file tells about the packets in a stream's file. */
struct reader_index {
	uint64_t nr_packets;
	uint64_t bytes;	      /* of all of them */
	uint64_t whole_bytes; /* of those that the file has all of */
	uint64_t stream_id;   /* with the next one: which stream it is */
	uint64_t instance_id;
	bool has_events;       /* some packet has more than its headers */
	uint64_t first_number; /* of the first packet; a stream begins with 0 */
};

/*
 * Reads the index file at @path, of a stream's file of @size bytes. Returns
 * false without a valid index.
 */
bool reader_index_read(struct reader_index *index, const char *path,
		       uint64_t size);

#endif /* NFTRACE_NATIVE_CLI_READER_INDEX_H */
