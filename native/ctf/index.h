/* SPDX-License-Identifier: MIT */
/* Where the packets of a stream are: LTTng's index files, or their own sizes. */
#ifndef NFTRACE_NATIVE_CTF_INDEX_H
#define NFTRACE_NATIVE_CTF_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ctf/packet.h"

/* Packets of a stream's file, one behind the other. */
struct ctf_span {
	uint64_t offset; /* bytes, as the next one */
	uint64_t size;
};

/* What is known about the packets in a stream's file. */
struct ctf_index {
	uint64_t nr_packets;
	uint64_t bytes;	      /* of all of them */
	uint64_t file_size;   /* which may be less, or more */
	uint64_t whole_bytes; /* of the packets that the file has all of */
	uint64_t nr_damaged;  /* packets that aren't what they should be */
	int error;	      /* of ctf_open() for the stream; 0: none */
	bool is_irregular;    /* the index file: it isn't a regular file */
	bool is_damaged; /* the index file, for that too: it was not used */
	bool has_events; /* some packet has more than its headers */
	struct ctf_packet first;
	/* Its number, as the index file has it; a stream begins with 0. */
	uint64_t first_number;
	/* Those that the file has all of and that aren't damaged. */
	struct ctf_span *spans; /* owned */
	size_t nr_spans;
};

/*
 * Looks for the packets of the stream @name in @folder: where the index file tells
 * or, without a valid one, where each packet says that it ends. nr_packets is 0
 * for what isn't a stream of LTTng's. The caller frees *@index with
 * ctf_index_free() in any case. Returns 0 or -ENOMEM; that the stream cannot be read
 * is no error: see .error.
 */
int ctf_index_read(struct ctf_index *index, const char *folder,
		   const char *name);

void ctf_index_free(struct ctf_index *index);

#endif /* NFTRACE_NATIVE_CTF_INDEX_H */
