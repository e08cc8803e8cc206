// SPDX-License-Identifier: MIT
/* LTTng's index files; see ctf/index.h. */
#include "ctf/index.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf/open.h"

#define MAGIC	      0xc1f1dcc1
#define BITS_PER_BYTE 8
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

/* Adds a packet to the spans, or makes the last one longer. Returns 0 or -ENOMEM. */
static int add_packet(struct ctf_index *index, uint64_t offset, uint64_t size)
{
	struct ctf_span *last = index->spans + index->nr_spans;

	if (index->nr_spans && last[-1].offset + last[-1].size == offset) {
		last[-1].size += size;
		return 0;
	}
	last = reallocarray(index->spans, index->nr_spans + 1, sizeof(*last));
	if (!last)
		return -ENOMEM;
	index->spans = last;
	last[index->nr_spans++] = (struct ctf_span){ offset, size };
	return 0;
}

/*
 * Takes the next packet, which is at index->bytes. @is_there: it looks like it.
 * Returns 0 or -ENOMEM.
 */
static int count_packet(struct ctf_index *index,
			const struct ctf_packet *packet, bool is_there)
{
	uint64_t offset = index->bytes;
	uint64_t size = packet->packet_size / BITS_PER_BYTE;

	if (!index->nr_packets++)
		index->first = *packet;
	index->has_events |= ctf_packet_has_events(packet);
	index->bytes += size;
	if (index->bytes > index->file_size)
		return 0;
	index->whole_bytes = index->bytes;
	if (is_there)
		return add_packet(index, offset, size);
	index->nr_damaged++;
	return 0;
}

/*
 * Whether the stream has a packet there of the sizes that the index has. If its
 * ids are others, it isn't laid out as LTTng's, and it is for babeltrace2 to say.
 */
static bool is_there(int stream, uint64_t offset,
		     const struct ctf_packet *packet)
{
	struct ctf_packet there;

	return ctf_packet_read(&there, stream, offset) &&
	       (!ctf_packet_are_of_one_stream(&there, packet) ||
		(there.content_size == packet->content_size &&
		 there.packet_size == packet->packet_size));
}

/* This and the following return 0 or -ENOMEM. */
static int read_entry(struct ctf_index *index, const struct index_entry *entry,
		      int stream)
{
	const struct ctf_packet packet = {
		.stream_id = be64toh(entry->stream_id),
		.instance_id = be64toh(entry->instance_id),
		.content_size = be64toh(entry->content_size),
		.packet_size = be64toh(entry->packet_size),
	};

	index->is_damaged = be64toh(entry->offset) != index->bytes ||
			    index->bytes > INT64_MAX ||
			    !ctf_packet_is_sane(&packet);
	if (index->is_damaged)
		return 0;
	if (!index->nr_packets)
		index->first_number = be64toh(entry->number);
	return count_packet(index, &packet,
			    is_there(stream, index->bytes, &packet));
}

static int read_entries(struct ctf_index *index, FILE *file, size_t entry_size,
			int stream)
{
	unsigned char bytes[MAX_ENTRY_SIZE];
	struct index_entry entry;

	while (!index->is_damaged && fread(bytes, entry_size, 1, file) == 1) {
		memcpy(&entry, bytes, sizeof(entry));
		if (read_entry(index, &entry, stream))
			return -ENOMEM;
	}
	return 0;
}

/* Does nothing without an index. */
static int read_index(struct ctf_index *index, FILE *file, int stream)
{
	struct index_header header;
	size_t length = fread(&header, 1, sizeof(header), file);

	if (length == 0) /* nothing was written yet */
		return 0;
	index->is_damaged =
		length < sizeof(header) || be32toh(header.magic) != MAGIC ||
		be32toh(header.entry_size) < sizeof(struct index_entry) ||
		be32toh(header.entry_size) > MAX_ENTRY_SIZE;
	if (index->is_damaged)
		return 0;
	return read_entries(index, file, be32toh(header.entry_size), stream);
}

/* Goes from packet to packet, as far as they are what they should be. */
static int walk(struct ctf_index *index, int stream)
{
	struct ctf_packet packet;

	while (index->bytes < index->file_size) {
		if (!ctf_packet_read(&packet, stream, index->bytes) ||
		    !ctf_packet_is_sane(&packet) ||
		    (index->nr_packets &&
		     !ctf_packet_are_of_one_stream(&packet, &index->first))) {
			index->nr_damaged += index->nr_packets > 0;
			return 0;
		}
		if (count_packet(index, &packet, true))
			return -ENOMEM;
	}
	return 0;
}

void ctf_index_free(struct ctf_index *index)
{
	free(index->spans);
	*index = (struct ctf_index){ 0 };
}

static int find_packets(struct ctf_index *index, FILE *file, int stream)
{
	struct ctf_index indexed = { 0 };
	struct stat info;
	int ret;

	if (fstat(stream, &info) < 0)
		return 0;
	index->file_size = (uint64_t)info.st_size;
	indexed.file_size = index->file_size;
	ret = file ? read_index(&indexed, file, stream) : 0;
	if (!ret && indexed.nr_packets && !indexed.is_damaged) {
		*index = indexed;
		return 0;
	}
	index->is_damaged = indexed.is_damaged;
	ctf_index_free(&indexed);
	return ret ? ret : walk(index, stream);
}

/* What an index that isn't a regular file has: nothing that is to be used. */
static bool is_irregular(int error)
{
	return error == EISDIR || error == ENXIO;
}

static int read_files(struct ctf_index *index, const char *path,
		      const char *index_path)
{
	int stream = ctf_open(path);
	FILE *file;
	int ret;

	if (stream < 0) {
		index->error = stream;
		return 0;
	}
	file = ctf_open_stream(index_path);
	index->is_irregular = !file && is_irregular(errno);
	ret = find_packets(index, file, stream);
	index->is_damaged |= index->is_irregular;
	if (file)
		(void)fclose(file);
	(void)close(stream);
	return ret;
}

int ctf_index_read(struct ctf_index *index, const char *folder,
		   const char *name)
{
	char *index_path = NULL;
	char *path = NULL;
	int ret = -ENOMEM;

	*index = (struct ctf_index){ 0 };
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return ret;
	if (asprintf(&index_path, "%s/index/%s.idx", folder, name) >= 0) {
		ret = read_files(index, path, index_path);
		free(index_path);
	}
	free(path);
	return ret;
}
