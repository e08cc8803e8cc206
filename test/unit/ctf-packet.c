// SPDX-License-Identifier: MIT
/* Tests of ctf/packet.h and ctf/metadata.h. */
#include "unit.h"

#include <sys/mman.h>

#include "ctf.h"
#include "ctf/metadata.h"
#include "ctf/packet.h"

#define HEADER_BITS (PACKET_HEADER * 8)

static int open_bytes(const unsigned char *bytes, size_t size)
{
	int fd = memfd_create("packet", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	return fd;
}

static void packets_of_both_byte_orders(void **state)
{
	(void)state;
	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		unsigned char bytes[8 + PACKET_HEADER] = { 0 };
		struct ctf_packet packet;
		int fd;

		put_packet(bytes + 8, 1000, 4096, is_big_endian);
		fd = open_bytes(bytes, sizeof(bytes));
		assert_false(ctf_packet_read(&packet, fd, 0));
		assert_true(ctf_packet_read(&packet, fd, 8));
		assert_int_equal(packet.stream_id, 1);
		assert_int_equal(packet.instance_id, 2);
		assert_int_equal(packet.content_size, 1000);
		assert_int_equal(packet.packet_size, 4096);
		/* Its last byte is missing; it begins beyond the end. */
		assert_false(ctf_packet_read(&packet, fd, 9));
		assert_false(ctf_packet_read(&packet, fd, 1000));
		assert_false(ctf_packet_read(&packet, fd, UINT64_MAX));
		assert_int_equal(ftruncate(fd, sizeof(bytes) - 1), 0);
		assert_false(ctf_packet_read(&packet, fd, 8));
		assert_int_equal(close(fd), 0);
	}
}

static void sizes_that_a_packet_can_have(void **state)
{
	static const struct {
		uint64_t content_size;
		uint64_t packet_size;
		bool is_sane;
		bool has_events;
	} rows[] = {
		{ 0, 0, false, false },
		{ 0, 4096, false, false },
		{ HEADER_BITS - 1, 4096, false, false },
		{ HEADER_BITS, HEADER_BITS - 8, false, false },
		{ HEADER_BITS, HEADER_BITS, true, false },
		{ HEADER_BITS + 1, HEADER_BITS, false, true },
		{ HEADER_BITS + 1, HEADER_BITS + 1, false, true },
		{ HEADER_BITS + 1, HEADER_BITS + 8, true, true },
		{ HEADER_BITS, 4095, false, false },
		{ HEADER_BITS, INT64_MAX - 7, true, false },
		{ HEADER_BITS, (uint64_t)INT64_MAX + 1, false, false },
		{ UINT64_MAX, UINT64_MAX - 7, false, true },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct ctf_packet packet = {
			.content_size = rows[i].content_size,
			.packet_size = rows[i].packet_size,
		};
		char row[64];

		(void)snprintf(row, sizeof(row), "row %zu", i);
		check_number(row, ctf_packet_is_sane(&packet), rows[i].is_sane);
		check_number(row, ctf_packet_has_events(&packet),
			     rows[i].has_events);
	}
}

static void streams_of_packets(void **state)
{
	const struct ctf_packet packet = { .stream_id = 1, .instance_id = 2 };
	const struct ctf_packet other_stream = { .stream_id = 2,
						 .instance_id = 2 };
	const struct ctf_packet other_instance = { .stream_id = 1,
						   .instance_id = 1 };

	(void)state;
	assert_true(ctf_packet_are_of_one_stream(&packet, &packet));
	assert_false(ctf_packet_are_of_one_stream(&packet, &other_stream));
	assert_false(ctf_packet_are_of_one_stream(&packet, &other_instance));
}

/* Bytes of a metadata packet before its text. */
#define METADATA_HEADER ((size_t)37)

/* Writes the header of a metadata packet; sizes in bits. */
static void put_metadata(unsigned char *at, uint32_t content_size,
			 uint32_t packet_size, bool is_big_endian)
{
	memset(at, 0, METADATA_HEADER);
	put(at, 0x75d11d57, 4, is_big_endian);
	put(at + 24, content_size, 4, is_big_endian);
	put(at + 28, packet_size, 4, is_big_endian);
}

static void check_whole(const char *row, const char *path, uint64_t whole,
			uint64_t size)
{
	uint64_t actual_size = 1;

	check_number(row, (int64_t)ctf_metadata_whole(path, &actual_size),
		     (int64_t)whole);
	check_number(row, (int64_t)actual_size, (int64_t)size);
}

/* Two packets of 40 and 50 bytes, cut everywhere. */
static void whole_packets_of_metadata(void **state)
{
	const char *path = unit_path(*state, "metadata");

	for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
		unsigned char bytes[90] = { 0 };

		put_metadata(bytes, 38 * 8, 40 * 8, is_big_endian);
		put_metadata(bytes + 40, 50 * 8, 50 * 8, is_big_endian);
		for (size_t size = 4; size <= sizeof(bytes); size++) {
			unit_write(path, bytes, size);
			check_whole("cut", path,
				    size < 40	? 0
				    : size < 90 ? 40
						: 90,
				    size);
		}
	}
}

static void damaged_metadata(void **state)
{
	static const struct {
		const char *row;
		uint32_t content_size;
		uint32_t packet_size;
		uint64_t whole;
	} rows[] = {
		{ "fine", 40 * 8, 40 * 8, 80 },
		{ "content beyond the packet", 41 * 8, 40 * 8, 40 },
		{ "content is the header", METADATA_HEADER * 8, 40 * 8, 80 },
		{ "content within the header", METADATA_HEADER * 8 - 1, 40 * 8,
		  40 },
		{ "a packet of no size", 0, 0, 40 },
		{ "a packet beyond the end", 40 * 8, 41 * 8, 40 },
		{ "a packet of most bytes", 40 * 8, UINT32_MAX, 40 },
	};
	const char *path = unit_path(*state, "metadata");
	unsigned char bytes[80] = { 0 };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		put_metadata(bytes, 40 * 8, 40 * 8, false);
		put_metadata(bytes + 40, rows[i].content_size,
			     rows[i].packet_size, false);
		unit_write(path, bytes, sizeof(bytes));
		check_whole(rows[i].row, path, rows[i].whole, sizeof(bytes));
	}
	put_metadata(bytes + 40, 40 * 8, 40 * 8, false);
	bytes[40]++;
	unit_write(path, bytes, sizeof(bytes));
	check_whole("no second packet", path, 40, sizeof(bytes));
}

static void metadata_without_packets(void **state)
{
	const char *path = unit_path(*state, "metadata");

	check_whole("missing", path, 0, 0);
	unit_write(path, "", 0);
	check_whole("empty", path, 0, 0);
	unit_write(path, "/*", 2);
	check_whole("shorter than a magic number", path, 2, 2);
	unit_write(path, "/* CTF 1.8 */", 13);
	check_whole("text", path, 13, 13);
	check_whole("a folder", *state, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_of_both_byte_orders),
		cmocka_unit_test(sizes_that_a_packet_can_have),
		cmocka_unit_test(streams_of_packets),
		UNIT_TEST_IN_FOLDER(whole_packets_of_metadata),
		UNIT_TEST_IN_FOLDER(damaged_metadata),
		UNIT_TEST_IN_FOLDER(metadata_without_packets),
	};

	return cmocka_run_group_tests_name("ctf-packet", tests, NULL, NULL);
}
