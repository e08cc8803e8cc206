// SPDX-License-Identifier: MIT
/* What LTTng's packets say of themselves; see ctf/packet.h. */
#include "ctf/packet.h"

#include <byteswap.h>
#include <unistd.h>

#define MAGIC	      0xc1fc1fc1 /* of CTF, in the byte order of the trace */
#define BITS_PER_BYTE 8

/*
 * What a packet begins with, in the byte order of the trace: the header and the
 * context, all aligned by their size.
 */
struct beginning {
	uint32_t magic;
	unsigned char uuid[16];
	uint32_t stream_id;
	uint64_t instance_id;
	uint64_t timestamp_begin;
	uint64_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t number;
	uint64_t events_discarded;
	uint32_t cpu_id;
} __attribute__((packed));

#define BEGINNING_BITS (sizeof(struct beginning) * BITS_PER_BYTE)

bool ctf_packet_read(struct ctf_packet *packet, int stream, uint64_t offset)
{
	struct beginning beginning;
	bool is_swapped;

	if (pread(stream, &beginning, sizeof(beginning), (off_t)offset) !=
	    (ssize_t)sizeof(beginning))
		return false;
	is_swapped = bswap_32(beginning.magic) == MAGIC;
	if (beginning.magic != MAGIC && !is_swapped)
		return false;
	*packet = (struct ctf_packet){
		.stream_id = is_swapped ? bswap_32(beginning.stream_id)
					: beginning.stream_id,
		.instance_id = is_swapped ? bswap_64(beginning.instance_id)
					  : beginning.instance_id,
		.content_size = is_swapped ? bswap_64(beginning.content_size)
					   : beginning.content_size,
		.packet_size = is_swapped ? bswap_64(beginning.packet_size)
					  : beginning.packet_size,
	};
	return true;
}

bool ctf_packet_is_sane(const struct ctf_packet *packet)
{
	return packet->content_size >= BEGINNING_BITS &&
	       packet->content_size <= packet->packet_size &&
	       packet->packet_size <= INT64_MAX &&
	       packet->packet_size % BITS_PER_BYTE == 0;
}

bool ctf_packet_are_of_one_stream(const struct ctf_packet *one,
				  const struct ctf_packet *other)
{
	return one->stream_id == other->stream_id &&
	       one->instance_id == other->instance_id;
}

bool ctf_packet_has_events(const struct ctf_packet *packet)
{
	return packet->content_size > BEGINNING_BITS;
}
