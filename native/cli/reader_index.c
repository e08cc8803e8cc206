// SPDX-License-Identifier: MIT
/* LTTng's index files; see reader_index.h. */
#include "reader_index.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#define MAGIC	      0xc1f1dcc1
#define BITS_PER_BYTE 8
/* Of a packet without events: LTTng's packet header and context. */
#define EMPTY_CONTENT_BITS (UINT64_C(84) * BITS_PER_BYTE)
/* Versions to come have longer entries; this is as long as will be read. */
#define MAX_ENTRY_SIZE 256

/* As LTTng writes it, in version 1.1; big-endian. */
struct index_header {
	uint32_t magic;
	uint32_t major;
	uint32_t minor;
	uint32_t entry_size; /* bytes */
};

struct index_entry {
	uint64_t offset;      /* bytes */
	uint64_t packet_size; /* bits */
	uint64_t content_size;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t events_discarded;
	uint64_t stream_id;
	uint64_t instance_id;
	uint64_t number;
};

static void read_entries(struct reader_index *index, FILE *file,
			 size_t entry_size, uint64_t size)
{
	unsigned char bytes[MAX_ENTRY_SIZE];
	struct index_entry entry;

	while (fread(bytes, entry_size, 1, file) == 1) {
		memcpy(&entry, bytes, sizeof(entry));
		if (be64toh(entry.offset) != index->bytes)
			break;
		if (!index->nr_packets) {
			index->stream_id = be64toh(entry.stream_id);
			index->instance_id = be64toh(entry.instance_id);
			index->first_number = be64toh(entry.number);
		}
		index->nr_packets++;
		index->has_events |= be64toh(entry.content_size) >
				     EMPTY_CONTENT_BITS;
		index->bytes += be64toh(entry.packet_size) / BITS_PER_BYTE;
		if (index->bytes <= size)
			index->whole_bytes = index->bytes;
	}
}

bool reader_index_read(struct reader_index *index, const char *path,
		       uint64_t size)
{
	struct index_header header;
	FILE *file = fopen(path, "re");

	*index = (struct reader_index){ 0 };
	if (!file)
		return false;
	if (fread(&header, sizeof(header), 1, file) == 1 &&
	    be32toh(header.magic) == MAGIC &&
	    be32toh(header.entry_size) >= sizeof(struct index_entry) &&
	    be32toh(header.entry_size) <= MAX_ENTRY_SIZE)
		read_entries(index, file, be32toh(header.entry_size), size);
	(void)fclose(file);
	return index->nr_packets > 0;
}
