// SPDX-License-Identifier: MIT
/* LTTng's index files; see reader_index.h. */
#include "reader_index.h"

#include <byteswap.h>
#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC	      0xc1f1dcc1
#define PACKET_MAGIC  0xc1fc1fc1 /* in the byte order of the trace */
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

/* Whether a packet of the stream begins at @offset. */
static bool begins_packet(int stream, uint64_t offset)
{
	uint32_t magic;

	return pread(stream, &magic, sizeof(magic), (off_t)offset) ==
		       (ssize_t)sizeof(magic) &&
	       (magic == PACKET_MAGIC || bswap_32(magic) == PACKET_MAGIC);
}

/* Adds a packet to the spans, or makes the last one longer. */
static bool add_packet(struct reader_index *index, uint64_t offset,
		       uint64_t size)
{
	struct reader_span *last = index->spans + index->nr_spans;

	if (index->nr_spans && last[-1].offset + last[-1].size == offset) {
		last[-1].size += size;
		return true;
	}
	last = reallocarray(index->spans, index->nr_spans + 1, sizeof(*last));
	if (!last)
		return false;
	index->spans = last;
	last[index->nr_spans++] = (struct reader_span){ offset, size };
	return true;
}

static bool read_entry(struct reader_index *index,
		       const struct index_entry *entry, int stream)
{
	uint64_t offset = be64toh(entry->offset);
	uint64_t bits = be64toh(entry->packet_size);
	uint64_t size = bits / BITS_PER_BYTE;
	uint64_t end;

	index->is_damaged = offset != index->bytes || !size ||
			    bits < be64toh(entry->content_size) ||
			    __builtin_add_overflow(offset, size, &end) ||
			    end > INT64_MAX;
	if (index->is_damaged)
		return true;
	if (!index->nr_packets) {
		index->stream_id = be64toh(entry->stream_id);
		index->instance_id = be64toh(entry->instance_id);
		index->first_number = be64toh(entry->number);
	}
	index->nr_packets++;
	index->has_events |= be64toh(entry->content_size) > EMPTY_CONTENT_BITS;
	index->bytes = end;
	if (end > index->file_size)
		return true;
	index->whole_bytes = end;
	if (begins_packet(stream, offset))
		return add_packet(index, offset, size);
	index->nr_damaged++;
	return true;
}

static bool read_entries(struct reader_index *index, FILE *file,
			 size_t entry_size, int stream)
{
	unsigned char bytes[MAX_ENTRY_SIZE];
	struct index_entry entry;

	while (!index->is_damaged && fread(bytes, entry_size, 1, file) == 1) {
		memcpy(&entry, bytes, sizeof(entry));
		if (!read_entry(index, &entry, stream))
			return false;
	}
	return true;
}

static bool read_index(struct reader_index *index, FILE *file, int stream)
{
	struct index_header header;
	struct stat info;
	size_t length;

	if (fstat(stream, &info) < 0 || !S_ISREG(info.st_mode))
		return true;
	length = fread(&header, 1, sizeof(header), file);
	if (length == 0) /* nothing was written yet */
		return true;
	index->is_damaged =
		length < sizeof(header) || be32toh(header.magic) != MAGIC ||
		be32toh(header.entry_size) < sizeof(struct index_entry) ||
		be32toh(header.entry_size) > MAX_ENTRY_SIZE;
	if (index->is_damaged)
		return true;
	index->file_size = (uint64_t)info.st_size;
	return read_entries(index, file, be32toh(header.entry_size), stream);
}

bool reader_index_read(struct reader_index *index, const char *folder,
		       const char *name)
{
	FILE *file = NULL;
	char *index_path = NULL;
	char *path = NULL;
	int stream = -1;
	bool is_ok = false;

	*index = (struct reader_index){ 0 };
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return false;
	if (asprintf(&index_path, "%s/index/%s.idx", folder, name) >= 0) {
		file = fopen(index_path, "re");
		stream = open(path, O_RDONLY | O_CLOEXEC);
		is_ok = !file || stream < 0 || read_index(index, file, stream);
		free(index_path);
	}
	free(path);
	if (file)
		(void)fclose(file);
	if (stream >= 0)
		(void)close(stream);
	return is_ok;
}

void reader_index_free(struct reader_index *index)
{
	free(index->spans);
	*index = (struct reader_index){ 0 };
}
