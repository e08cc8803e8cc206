// SPDX-License-Identifier: MIT
/* Tests of ctf/index.h: where packets are found, however damaged the files are. */
#include "unit.h"

#include <errno.h>
#include <sys/stat.h>

#include "ctf.h"
#include "ctf/index.h"

/* A stream of three packets of so many bytes, the last one without events. */
#define SIZE	   ((size_t)128)
#define BITS	   ((uint64_t)SIZE * 8)
#define CONTENT	   (BITS - 8)
#define NR_PACKETS ((size_t)3)
#define FIRST	   7 /* the first one's number */

/* The files, to be damaged before they are written. */
struct files {
	unsigned char stream[NR_PACKETS * SIZE];
	size_t stream_size;
	unsigned char index[INDEX_HEADER + NR_PACKETS * 257];
	size_t index_size;
};

static unsigned char *entry_of(struct files *files, size_t packet)
{
	return files->index + INDEX_HEADER + packet * INDEX_ENTRY;
}

/* Content of a packet; bits. */
static uint64_t content_of(size_t packet)
{
	return packet < NR_PACKETS - 1 ? CONTENT : PACKET_HEADER * 8;
}

static struct files make_files(void)
{
	struct files files = { .stream_size = sizeof(files.stream),
			       .index_size = INDEX_HEADER +
					     NR_PACKETS * INDEX_ENTRY };

	put_index_header(files.index, INDEX_ENTRY);
	for (size_t i = 0; i < NR_PACKETS; i++) {
		put_packet(files.stream + i * SIZE, content_of(i), BITS, false);
		put_index_entry(entry_of(&files, i), i * SIZE, content_of(i),
				BITS, FIRST + i);
	}
	return files;
}

/* Writes the files into a folder, and reads them. Without an index, no size. */
static struct ctf_index read_files(const char *folder,
				   const struct files *files)
{
	struct ctf_index index;

	(void)mkdir(unit_path(folder, "index"), 0700);
	unit_write(unit_path(folder, "stream"), files->stream,
		   files->stream_size);
	if (files->index_size)
		unit_write(unit_path(folder, "index/stream.idx"), files->index,
			   files->index_size);
	else
		(void)unlink(unit_path(folder, "index/stream.idx"));
	assert_int_equal(ctf_index_read(&index, folder, "stream"), 0);
	return index;
}

/* All three packets, found as one span. */
static void check_all(const char *row, const struct ctf_index *index)
{
	check_number(row, (int64_t)index->nr_packets, NR_PACKETS);
	check_number(row, (int64_t)index->bytes,
		     sizeof((struct files){ 0 }.stream));
	check_number(row, (int64_t)index->whole_bytes, (int64_t)index->bytes);
	check_number(row, (int64_t)index->nr_damaged, 0);
	check_number(row, index->has_events, true);
	check_number(row, (int64_t)index->nr_spans, 1);
	check_number(row, (int64_t)index->spans[0].offset, 0);
	check_number(row, (int64_t)index->spans[0].size, (int64_t)index->bytes);
	check_number(row, (int64_t)index->first.content_size, CONTENT);
	check_number(row, index->error, 0);
}

static void with_an_index(void **state)
{
	struct files files = make_files();
	struct ctf_index index = read_files(*state, &files);

	check_all("all is well", &index);
	assert_int_equal(index.first_number, FIRST);
	assert_false(index.is_damaged);
	assert_int_equal(index.file_size, files.stream_size);
	ctf_index_free(&index);
	assert_null(index.spans);
}

static void without_an_index(void **state)
{
	struct files files = make_files();
	struct ctf_index index;

	files.index_size = 0;
	index = read_files(*state, &files);
	check_all("no index", &index);
	assert_int_equal(index.first_number, 0);
	assert_false(index.is_damaged);
	ctf_index_free(&index);
	/* One that nothing was written to yet. */
	unit_write(unit_path(*state, "index/stream.idx"), "", 0);
	assert_int_equal(ctf_index_read(&index, *state, "stream"), 0);
	check_all("an empty index", &index);
	assert_false(index.is_damaged);
	ctf_index_free(&index);
}

/* Damage that makes the whole index useless: the stream itself is read. */
static void damaged_indexes(void **state)
{
	static const struct {
		const char *row;
		size_t at; /* in the index */
		size_t size;
		uint64_t value;
		bool is_damaged;
	} rows[] = {
		{ "the magic number", 0, 4, 0xc1f1dcc0, true },
		{ "short entries", 12, 4, INDEX_ENTRY - 1, true },
		{ "entries of no size", 12, 4, 0, true },
		{ "long entries", 12, 4, 257, true },
		{ "the longest entries", 12, 4, UINT32_MAX, true },
		{ "a later version", 4, 4, 9, false },
		{ "the first offset", INDEX_HEADER, 8, 1, true },
		{ "the second offset", INDEX_HEADER + INDEX_ENTRY, 8, SIZE - 1,
		  true },
		{ "the last offset", INDEX_HEADER + 2 * INDEX_ENTRY, 8,
		  UINT64_MAX, true },
		{ "a packet of no size", INDEX_HEADER + 8, 8, 0, true },
		{ "a packet of half bytes", INDEX_HEADER + 8, 8, BITS + 4,
		  true },
		{ "a packet of most bytes", INDEX_HEADER + 8, 8, UINT64_MAX - 7,
		  true },
		{ "content within the header", INDEX_HEADER + 16, 8,
		  PACKET_HEADER * 8 - 1, true },
		{ "content beyond the packet", INDEX_HEADER + 16, 8, BITS + 1,
		  true },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct files files = make_files();
		struct ctf_index index;

		put(files.index + rows[i].at, rows[i].value, rows[i].size,
		    true);
		index = read_files(*state, &files);
		check_number(rows[i].row, index.is_damaged, rows[i].is_damaged);
		check_all(rows[i].row, &index);
		ctf_index_free(&index);
	}
}

/* Wherever the index ends, what it has of whole entries counts. */
static void indexes_that_are_cut(void **state)
{
	for (size_t size = 1; size <= INDEX_HEADER + NR_PACKETS * INDEX_ENTRY;
	     size++) {
		size_t nr_entries =
			size < INDEX_HEADER
				? 0
				: (size - INDEX_HEADER) / INDEX_ENTRY;
		struct files files = make_files();
		struct ctf_index index;

		files.index_size = size;
		index = read_files(*state, &files);
		check_number("cut", index.is_damaged, size < INDEX_HEADER);
		check_number("cut", (int64_t)index.nr_packets,
			     nr_entries ? (int64_t)nr_entries
					: (int64_t)NR_PACKETS);
		ctf_index_free(&index);
	}
}

static void longer_entries_of_versions_to_come(void **state)
{
	static const uint32_t sizes[] = { INDEX_ENTRY + 1, 255, 256 };

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct files files = make_files();
		struct ctf_index index;

		put_index_header(files.index, sizes[i]);
		for (size_t packet = 0; packet < NR_PACKETS; packet++)
			put_index_entry(files.index + INDEX_HEADER +
						packet * sizes[i],
					packet * SIZE, content_of(packet), BITS,
					FIRST + packet);
		files.index_size = INDEX_HEADER + NR_PACKETS * sizes[i];
		index = read_files(*state, &files);
		assert_false(index.is_damaged);
		assert_int_equal(index.first_number, FIRST);
		check_all("longer", &index);
		ctf_index_free(&index);
	}
}

/* A packet that is not what the index says is left out, and the others stay. */
static void damaged_packets(void **state)
{
	static const struct {
		const char *row;
		size_t at; /* in the packet */
		size_t size;
		uint64_t value;
	} rows[] = {
		{ "the magic number", 0, 4, 0 },
		{ "the content's size", PACKET_CONTENT_SIZE, 8, CONTENT - 8 },
		{ "the packet's size", PACKET_PACKET_SIZE, 8, 2 * BITS },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct files files = make_files();
		struct ctf_index index;

		put(files.stream + SIZE + rows[i].at, rows[i].value,
		    rows[i].size, false);
		index = read_files(*state, &files);
		check_number(rows[i].row, index.is_damaged, false);
		check_number(rows[i].row, (int64_t)index.nr_packets,
			     NR_PACKETS);
		check_number(rows[i].row, (int64_t)index.nr_damaged, 1);
		check_number(rows[i].row, (int64_t)index.nr_spans, 2);
		check_number(rows[i].row, (int64_t)index.spans[0].size, SIZE);
		check_number(rows[i].row, (int64_t)index.spans[1].offset,
			     2 * SIZE);
		check_number(rows[i].row, (int64_t)index.spans[1].size, SIZE);
		ctf_index_free(&index);
	}
}

/* Without an index nothing behind a damaged packet can be found. */
static void damaged_packets_without_an_index(void **state)
{
	static const struct {
		const char *row;
		size_t at;
		size_t size;
		uint64_t value;
	} rows[] = {
		{ "the magic number", 0, 4, 0 },
		{ "another stream", PACKET_STREAM_ID, 4, 9 },
		{ "another instance", PACKET_INSTANCE_ID, 8, 9 },
		{ "no content", PACKET_CONTENT_SIZE, 8, 0 },
		{ "no size", PACKET_PACKET_SIZE, 8, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (size_t packet = 0; packet < NR_PACKETS; packet++) {
			struct files files = make_files();
			struct ctf_index index;
			size_t found = packet;

			/* The first one may be of any stream. */
			if (!packet && (rows[i].at == PACKET_STREAM_ID ||
					rows[i].at == PACKET_INSTANCE_ID))
				found = 1;
			files.index_size = 0;
			put(files.stream + packet * SIZE + rows[i].at,
			    rows[i].value, rows[i].size, false);
			index = read_files(*state, &files);
			check_number(rows[i].row, (int64_t)index.nr_packets,
				     (int64_t)found);
			check_number(rows[i].row, (int64_t)index.nr_damaged,
				     found > 0);
			check_number(rows[i].row, (int64_t)index.whole_bytes,
				     (int64_t)(found * SIZE));
			ctf_index_free(&index);
		}
	}
}

/* A stream that ends within a packet, with an index and without. */
static void streams_that_are_cut(void **state)
{
	for (int has_index = 0; has_index < 2; has_index++) {
		for (size_t size = 0; size <= 2 * SIZE + 1; size++) {
			size_t whole = size / SIZE * SIZE;
			struct files files = make_files();
			struct ctf_index index;

			files.stream_size = size;
			if (!has_index)
				files.index_size = 0;
			index = read_files(*state, &files);
			check_number("cut", (int64_t)index.file_size,
				     (int64_t)size);
			check_number("cut", (int64_t)index.whole_bytes,
				     (int64_t)whole);
			check_number("cut", (int64_t)index.nr_spans, whole > 0);
			if (whole)
				check_number("cut",
					     (int64_t)index.spans[0].size,
					     (int64_t)whole);
			if (has_index)
				check_number("cut", (int64_t)index.nr_packets,
					     NR_PACKETS);
			ctf_index_free(&index);
		}
	}
}

static void files_that_are_none(void **state)
{
	struct files files = make_files();
	struct ctf_index index;

	assert_int_equal(ctf_index_read(&index, *state, "stream"), 0);
	assert_int_equal(index.error, -ENOENT);
	assert_int_equal(index.nr_packets, 0);
	assert_int_equal(mkdir(unit_path(*state, "folder"), 0700), 0);
	assert_int_equal(ctf_index_read(&index, *state, "folder"), 0);
	assert_int_equal(index.error, -EISDIR);
	assert_int_equal(mkfifo(unit_path(*state, "fifo"), 0600), 0);
	assert_int_equal(ctf_index_read(&index, *state, "fifo"), 0);
	assert_int_equal(index.error, -ENXIO);

	files.index_size = 0;
	index = read_files(*state, &files);
	ctf_index_free(&index);
	for (int is_fifo = 0; is_fifo < 2; is_fifo++) {
		const char *path = unit_path(*state, "index/stream.idx");

		assert_int_equal(
			is_fifo ? mkfifo(path, 0600) : mkdir(path, 0700), 0);
		assert_int_equal(ctf_index_read(&index, *state, "stream"), 0);
		assert_true(index.is_irregular);
		assert_true(index.is_damaged);
		check_all("an index that is no file", &index);
		ctf_index_free(&index);
		assert_int_equal(remove(path), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST_IN_FOLDER(with_an_index),
		UNIT_TEST_IN_FOLDER(without_an_index),
		UNIT_TEST_IN_FOLDER(damaged_indexes),
		UNIT_TEST_IN_FOLDER(indexes_that_are_cut),
		UNIT_TEST_IN_FOLDER(longer_entries_of_versions_to_come),
		UNIT_TEST_IN_FOLDER(damaged_packets),
		UNIT_TEST_IN_FOLDER(damaged_packets_without_an_index),
		UNIT_TEST_IN_FOLDER(streams_that_are_cut),
		UNIT_TEST_IN_FOLDER(files_that_are_none),
	};

	return cmocka_run_group_tests_name("ctf-index", tests, NULL, NULL);
}
