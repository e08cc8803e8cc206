/* SPDX-License-Identifier: MIT */
/* Packets, indexes and metadata as LTTng writes them, byte by byte. */
#ifndef NFTRACE_TEST_UNIT_CTF_H
#define NFTRACE_TEST_UNIT_CTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A packet's header and context: what is before its events. Bytes. */
#define PACKET_HEADER ((size_t)84)
/* Where the fields of a packet are. */
#define PACKET_STREAM_ID    20
#define PACKET_INSTANCE_ID  24
#define PACKET_CONTENT_SIZE 48
#define PACKET_PACKET_SIZE  56

#define INDEX_HEADER 16
#define INDEX_ENTRY  72

/* Writes a number of @size bytes. */
static inline void put(unsigned char *at, uint64_t value, size_t size,
		       bool is_big_endian)
{
	for (size_t i = 0; i < size; i++)
		at[is_big_endian ? size - 1 - i : i] =
			(unsigned char)(value >> 8 * i);
}

/*
 * Writes a packet of stream 1, instance 2; sizes in bits. @at has room for
 * PACKET_HEADER bytes.
 */
static inline void put_packet(unsigned char *at, uint64_t content_size,
			      uint64_t packet_size, bool is_big_endian)
{
	for (size_t i = 0; i < PACKET_HEADER; i++)
		at[i] = 0xee;
	put(at, 0xc1fc1fc1, 4, is_big_endian);
	put(at + PACKET_STREAM_ID, 1, 4, is_big_endian);
	put(at + PACKET_INSTANCE_ID, 2, 8, is_big_endian);
	put(at + PACKET_CONTENT_SIZE, content_size, 8, is_big_endian);
	put(at + PACKET_PACKET_SIZE, packet_size, 8, is_big_endian);
}

static inline void put_index_header(unsigned char *at, uint32_t entry_size)
{
	put(at, 0xc1f1dcc1, 4, true);
	put(at + 4, 1, 4, true);
	put(at + 8, 1, 4, true);
	put(at + 12, entry_size, 4, true);
}

/* Writes the index entry of such a packet; sizes in bits, @offset in bytes. */
static inline void put_index_entry(unsigned char *at, uint64_t offset,
				   uint64_t content_size, uint64_t packet_size,
				   uint64_t number)
{
	for (size_t i = 0; i < INDEX_ENTRY; i++)
		at[i] = 0;
	put(at, offset, 8, true);
	put(at + 8, packet_size, 8, true);
	put(at + 16, content_size, 8, true);
	put(at + 48, 1, 8, true);
	put(at + 56, 2, 8, true);
	put(at + 64, number, 8, true);
}

#endif /* NFTRACE_TEST_UNIT_CTF_H */
