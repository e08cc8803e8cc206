// SPDX-License-Identifier: MIT
/* Metadata files; see ctf/metadata.h. */
#include "ctf/metadata.h"

#include <byteswap.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctf/open.h"

#define MAGIC	      0x75d11d57
#define BITS_PER_BYTE 8

/* Of a packet: CTF 1.8, 7.1, up to what is of interest here. */
struct packet_header {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t checksum;
	uint32_t content_size; /* bits */
	uint32_t packet_size;  /* bits */
};

/* With compression, encryption and checksum schemes and the version. Bytes. */
#define HEADER_SIZE (sizeof(struct packet_header) + 5)

/* Bytes of the packet that a header begins; 0 if it isn't one. */
static uint64_t packet_size(const struct packet_header *header)
{
	bool is_swapped = header->magic == bswap_32(MAGIC);
	uint32_t content = is_swapped ? bswap_32(header->content_size)
				      : header->content_size;
	uint32_t packet = is_swapped ? bswap_32(header->packet_size)
				     : header->packet_size;

	if (!is_swapped && header->magic != MAGIC)
		return 0;
	if (content > packet || content < HEADER_SIZE * BITS_PER_BYTE)
		return 0;
	return packet / BITS_PER_BYTE;
}

static uint64_t sum_packets(FILE *file, uint64_t size)
{
	struct packet_header header;
	uint64_t whole = 0;

	while (size - whole >= HEADER_SIZE &&
	       fseeko(file, (off_t)whole, SEEK_SET) == 0 &&
	       fread(&header, sizeof(header), 1, file) == 1) {
		uint64_t packet = packet_size(&header);

		if (!packet || packet > size - whole)
			break;
		whole += packet;
	}
	return whole;
}

uint64_t ctf_metadata_whole(const char *path, uint64_t *size)
{
	FILE *file = ctf_open_stream(path);
	uint32_t magic = 0;
	uint64_t whole = 0;
	off_t end;

	*size = 0;
	if (!file)
		return 0;
	if (fseeko(file, 0, SEEK_END) == 0 && (end = ftello(file)) > 0) {
		*size = (uint64_t)end;
		rewind(file);
		if (fread(&magic, sizeof(magic), 1, file) == 1 &&
		    (magic == MAGIC || magic == bswap_32(MAGIC)))
			whole = sum_packets(file, *size);
		else
			whole = *size;
	}
	(void)fclose(file);
	return whole;
}
