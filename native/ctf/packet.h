/* SPDX-License-Identifier: MIT */
/* What LTTng's packets say of themselves. */
#ifndef NFTRACE_NATIVE_CTF_PACKET_H
#define NFTRACE_NATIVE_CTF_PACKET_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_packet {
	uint64_t stream_id; /* with the next one: whose it is */
	uint64_t instance_id;
	uint64_t content_size; /* bits; what is behind it is padding */
	uint64_t packet_size;  /* bits */
};

/*
 * Reads the packet that begins at @offset of a stream's file. Returns false if
 * none does. In a trace that isn't LTTng's the members mean nothing.
 */
bool ctf_packet_read(struct ctf_packet *packet, int stream, uint64_t offset);

/* Whether it can have such sizes. */
bool ctf_packet_is_sane(const struct ctf_packet *packet);

bool ctf_packet_are_of_one_stream(const struct ctf_packet *one,
				  const struct ctf_packet *other);

/* Whether a packet has more than LTTng's packet header and context. */
bool ctf_packet_has_events(const struct ctf_packet *packet);

#endif /* NFTRACE_NATIVE_CTF_PACKET_H */
