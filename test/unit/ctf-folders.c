// SPDX-License-Identifier: MIT
/* Tests of ctf/folders.h and ctf/open.h. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "ctf/folders.h"
#include "ctf/open.h"

static void make_folder(const char *folder, const char *name)
{
	assert_int_equal(mkdir(unit_path(folder, name), 0700), 0);
}

static void make_file(const char *folder, const char *name)
{
	unit_write(unit_path(folder, name), "x", 1);
}

/* The names of the found folders below @root, one a line. */
static void check_found(const struct ctf_folders *folders, const char *root,
			const char *expected)
{
	char names[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < folders->nr_paths; i++) {
		assert_memory_equal(folders->paths[i], root, strlen(root));
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s\n",
					 folders->paths[i] + strlen(root));
	}
	assert_string_equal(names, expected);
}

static void traces_below_a_folder(void **state)
{
	struct ctf_folders folders = { 0 };

	make_folder(*state, "b");
	make_file(*state, "b/metadata");
	make_folder(*state, "b/index");
	make_file(*state, "b/index/metadata"); /* not a trace's */
	make_folder(*state, "a");
	make_folder(*state, "a/deep");
	make_file(*state, "a/deep/metadata");
	make_folder(*state, "a/metadata"); /* as a recording may be called */
	make_file(*state, "a/metadata/metadata");
	make_folder(*state, "empty");
	make_file(*state, "empty/metadata.txt");
	assert_int_equal(symlink("../b", unit_path(*state, "empty/link")), 0);
	assert_int_equal(ctf_folders_find(&folders, *state), 0);
	assert_int_equal(ctf_folders_find(&folders, unit_path(*state, "b/.")),
			 0);
	assert_int_equal(folders.nr_paths, 4);
	ctf_folders_sort(&folders);
	check_found(&folders, *state, "/a/deep\n/a/metadata\n/b\n");
	assert_false(folders.is_partial);
	assert_string_equal(unit_reports, "");
	ctf_folders_free(&folders);
	assert_int_equal(folders.nr_paths, 0);
}

static void an_index_that_is_given_is_looked_into(void **state)
{
	struct ctf_folders folders = { 0 };

	make_folder(*state, "index");
	make_file(*state, "index/metadata");
	assert_int_equal(ctf_folders_find(&folders, unit_path(*state, "index")),
			 0);
	check_found(&folders, *state, "/index\n");
	ctf_folders_free(&folders);
}

static void more_folders_than_there_is_room_for_at_first(void **state)
{
	static const size_t counts[] = { 15, 16, 17, 40 };
	size_t made = 0;

	for (size_t i = 0; i < LENGTH(counts); i++) {
		struct ctf_folders folders = { 0 };

		for (; made < counts[i]; made++) {
			char name[32];

			(void)snprintf(name, sizeof(name), "%02zu", made);
			make_folder(*state, name);
			(void)snprintf(name, sizeof(name), "%02zu/metadata",
				       made);
			make_file(*state, name);
		}
		assert_int_equal(ctf_folders_find(&folders, *state), 0);
		ctf_folders_sort(&folders);
		assert_int_equal(folders.nr_paths, counts[i]);
		for (size_t j = 0; j < counts[i]; j++)
			assert_int_equal(
				strtol(strrchr(folders.paths[j], '/') + 1, NULL,
				       10),
				j);
		ctf_folders_free(&folders);
	}
}

static void what_is_no_trace(void **state)
{
	static const struct {
		const char *name;
		bool may_be_empty;
		const char *report; /* NULL: none */
	} rows[] = {
		{ "gone", false, "cannot read " },
		{ "gone", true, NULL },
		{ "empty", false, "no trace in " },
		{ "empty", true, NULL },
		{ "fifo", false, "fifo is not a regular file" },
		{ "odd", false, "odd/metadata is not a regular file" },
		{ "odd", true, "odd/metadata is not a regular file" },
		{ "dangling", true, "cannot read " },
	};

	make_folder(*state, "empty");
	make_folder(*state, "odd");
	make_folder(*state, "dangling");
	assert_int_equal(mkfifo(unit_path(*state, "fifo"), 0600), 0);
	assert_int_equal(mkfifo(unit_path(*state, "odd/metadata"), 0600), 0);
	assert_int_equal(
		symlink("gone", unit_path(*state, "dangling/metadata")), 0);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct ctf_folders folders = {
			.may_be_empty = rows[i].may_be_empty,
		};

		unit_reports[0] = '\0';
		assert_int_equal(
			ctf_folders_find(&folders,
					 unit_path(*state, rows[i].name)),
			0);
		check_number(rows[i].name, (int64_t)folders.nr_paths, 0);
		check_number(rows[i].name, folders.is_partial,
			     rows[i].report != NULL);
		if (!rows[i].report)
			assert_string_equal(unit_reports, "");
		else if (!strstr(unit_reports, rows[i].report))
			fail_msg("%s: %s", rows[i].report, unit_reports);
		ctf_folders_sort(&folders);
		ctf_folders_free(&folders);
	}
}

/* What was missing once stays known, whatever is found after it. */
static void it_stays_partial(void **state)
{
	struct ctf_folders folders = { 0 };

	make_folder(*state, "trace");
	make_file(*state, "trace/metadata");
	assert_int_equal(ctf_folders_find(&folders, unit_path(*state, "gone")),
			 0);
	assert_int_equal(ctf_folders_find(&folders, unit_path(*state, "trace")),
			 0);
	assert_true(folders.is_partial);
	check_found(&folders, *state, "/trace\n");
	ctf_folders_free(&folders);
}

static void files_are_opened_and_nothing_else(void **state)
{
	const char *folder = *state;
	FILE *stream;
	int fd;

	make_file(folder, "file");
	assert_int_equal(symlink("file", unit_path(folder, "link")), 0);
	assert_int_equal(symlink("/dev/zero", unit_path(folder, "device")), 0);
	assert_int_equal(mkfifo(unit_path(folder, "fifo"), 0600), 0);
	assert_int_equal(ctf_open(folder), -EISDIR);
	assert_int_equal(ctf_open(unit_path(folder, "gone")), -ENOENT);
	assert_int_equal(ctf_open(unit_path(folder, "fifo")), -ENXIO);
	assert_int_equal(ctf_open(unit_path(folder, "device")), -ENXIO);
	fd = ctf_open(unit_path(folder, "link"));
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(close(fd), 0);
	stream = ctf_open_stream(unit_path(folder, "file"));
	assert_non_null(stream);
	assert_int_equal(getc(stream), 'x');
	assert_int_equal(fclose(stream), 0);
	assert_null(ctf_open_stream(unit_path(folder, "fifo")));
	assert_int_equal(errno, ENXIO);
	ctf_open_report("it", -ENXIO);
	ctf_open_report("it", -EACCES);
	assert_string_equal(unit_reports,
			    "it is not a regular file\n"
			    "cannot read it: Permission denied\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST_IN_FOLDER(traces_below_a_folder),
		UNIT_TEST_IN_FOLDER(an_index_that_is_given_is_looked_into),
		UNIT_TEST_IN_FOLDER(
			more_folders_than_there_is_room_for_at_first),
		UNIT_TEST_IN_FOLDER(what_is_no_trace),
		UNIT_TEST_IN_FOLDER(it_stays_partial),
		UNIT_TEST_IN_FOLDER(files_are_opened_and_nothing_else),
	};

	return cmocka_run_group_tests_name("ctf-folders", tests, NULL, NULL);
}
