// SPDX-License-Identifier: MIT
/* Tests of base/trust.h and base/temporary.h. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/temporary.h"
#include "base/trust.h"

/* Whether a folder opens, and why not, which has to have @problem in it. */
static void check_open(const char *path, enum base_trust trust,
		       const char *problem)
{
	char *why = NULL;
	int fd = base_trust_open(path, trust, NULL, &why);

	if (!problem && fd < 0)
		fail_msg("%s: %s", path, why);
	if (problem && fd >= 0)
		fail_msg("%s: it opens, but %s", path, problem);
	if (problem && !strstr(why, problem))
		fail_msg("%s: \"%s\" where \"%s\" belongs", path, why, problem);
	if (fd >= 0)
		assert_int_equal(close(fd), 0);
	free(why);
}

static void folders_that_nobody_can_exchange(void **state)
{
	const char *folder = *state;

	assert_int_equal(mkdir(unit_path(folder, "plain"), 0700), 0);
	assert_int_equal(symlink("plain", unit_path(folder, "link")), 0);
	assert_int_equal(symlink(folder, unit_path(folder, "absolute")), 0);
	check_open("/", BASE_TRUST_OWN, NULL);
	check_open(folder, BASE_TRUST_OWN, NULL);
	check_open(unit_path(folder, "plain"), BASE_TRUST_OWN, NULL);
	check_open(unit_path(folder, "plain/"), BASE_TRUST_OWN, NULL);
	check_open(unit_path(folder, "./plain/../plain"), BASE_TRUST_OWN, NULL);
	check_open(unit_path(folder, "link"), BASE_TRUST_OWN, NULL);
	check_open(unit_path(folder, "absolute/link"), BASE_TRUST_OWN, NULL);
}

static void what_is_no_folder(void **state)
{
	const char *folder = *state;
	char path[PATH_MAX + 1];

	unit_write(unit_path(folder, "file"), "", 0);
	assert_int_equal(symlink("loop", unit_path(folder, "loop")), 0);
	assert_int_equal(symlink("gone", unit_path(folder, "dangling")), 0);
	check_open(unit_path(folder, "file"), BASE_TRUST_OWN,
		   "Not a directory");
	check_open(unit_path(folder, "gone"), BASE_TRUST_OWN, "No such file");
	check_open(unit_path(folder, "gone/further"), BASE_TRUST_OWN,
		   "/gone: No such file");
	check_open(unit_path(folder, "dangling"), BASE_TRUST_OWN,
		   "No such file");
	check_open(unit_path(folder, "loop"), BASE_TRUST_OWN,
		   "Too many levels");
	/* The longest path that there is, of slashes, and one more. */
	memset(path, '/', sizeof(path));
	path[PATH_MAX - 1] = '\0';
	check_open(path, BASE_TRUST_OWN, NULL);
	path[PATH_MAX - 1] = '/';
	path[PATH_MAX] = '\0';
	check_open(path, BASE_TRUST_OWN, "File name too long");
	/* The longest name, and one more. */
	memset(path + 1, 'x', NAME_MAX + 1);
	path[NAME_MAX + 1] = '\0';
	check_open(path, BASE_TRUST_OWN, "No such file");
	path[NAME_MAX + 1] = 'x';
	path[NAME_MAX + 2] = '\0';
	check_open(path, BASE_TRUST_OWN, "File name too long");
}

static void folders_that_others_can_write_to(void **state)
{
	static const struct {
		mode_t mode;
		bool own; /* whether each kind of trust is given */
		bool named;
	} rows[] = {
		{ 0700, true, true },	{ 0755, true, true },
		{ 0770, false, true },	{ 0777, false, false },
		{ 01777, true, true },	{ 01770, true, true },
		{ 0702, false, false },
	};
	const char *folder = *state;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(mkdir(unit_path(folder, "it"), 0700), 0);
		assert_int_equal(mkdir(unit_path(folder, "it/below"), 0700), 0);
		assert_int_equal(chmod(unit_path(folder, "it"), rows[i].mode),
				 0);
		check_open(unit_path(folder, "it/below"), BASE_TRUST_OWN,
			   rows[i].own ? NULL : "other users can write to");
		check_open(unit_path(folder, "it/below"), BASE_TRUST_NAMED,
			   rows[i].named ? NULL : "other users can write to");
		check_open(unit_path(folder, "it"), BASE_TRUST_OWN,
			   rows[i].own ? NULL : "other users can write to");
		assert_int_equal(rmdir(unit_path(folder, "it/below")), 0);
		assert_int_equal(rmdir(unit_path(folder, "it")), 0);
	}
}

static void folders_are_made(void **state)
{
	const char *path = unit_path(*state, "one/two");
	mode_t mask = umask(027);
	struct stat info;
	char *why = NULL;
	bool is_made;
	int fd;

	for (int round = 0; round < 2; round++) {
		fd = base_trust_open(path, BASE_TRUST_OWN, &is_made, &why);
		assert_true(fd >= 0);
		assert_int_equal(is_made, round == 0);
		assert_int_equal(fstat(fd, &info), 0);
		assert_int_equal(info.st_mode & 07777, 0750);
		assert_int_equal(close(fd), 0);
	}
	(void)umask(mask);
}

static void a_temporary_folder_comes_and_goes(void **state)
{
	struct base_temporary folder;
	struct stat info;
	char *path;

	assert_int_equal(setenv("TMPDIR", *state, 1), 0);
	assert_int_equal(base_temporary_make(&folder, "prefix-"), 0);
	path = strdup(folder.path);
	assert_non_null(path);
	assert_true(strncmp(path, unit_path(*state, "prefix-"),
			    strlen(unit_path(*state, "prefix-"))) == 0);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	unit_write(unit_path(*state, "outside"), "kept", 4);
	unit_write(unit_path(path, "file"), "", 0);
	assert_int_equal(mkdir(unit_path(path, "below"), 0700), 0);
	unit_write(unit_path(path, "below/file"), "", 0);
	assert_int_equal(symlink("../outside", unit_path(path, "link")), 0);
	assert_int_equal(symlink(*state, unit_path(path, "below/up")), 0);
	base_temporary_remove(&folder);
	assert_null(folder.path);
	assert_int_equal(stat(path, &info), -1);
	assert_int_equal(stat(unit_path(*state, "outside"), &info), 0);
	base_temporary_remove(&folder);
	assert_string_equal(unit_reports, "");
	free(path);
}

static void another_folder_of_that_name_stays(void **state)
{
	struct base_temporary folder;
	struct stat info;

	assert_int_equal(setenv("TMPDIR", *state, 1), 0);
	assert_int_equal(base_temporary_make(&folder, "it"), 0);
	assert_int_equal(rename(folder.path, unit_path(*state, "moved")), 0);
	assert_int_equal(base_temporary_erase(&folder), 0);
	assert_int_equal(mkdir(folder.path, 0700), 0);
	assert_int_equal(base_temporary_erase(&folder), 0);
	assert_int_equal(stat(folder.path, &info), 0);
	assert_int_equal(stat(unit_path(*state, "moved"), &info), 0);
	base_temporary_remove(&folder);
}

static void no_temporary_folder_where_others_write(void **state)
{
	struct base_temporary folder;

	assert_int_equal(chmod(*state, 0777), 0);
	assert_int_equal(setenv("TMPDIR", *state, 1), 0);
	assert_int_equal(base_temporary_make(&folder, "it"), -EPERM);
	assert_null(folder.path);
	assert_non_null(strstr(unit_reports, "other users can write to"));
	assert_non_null(strstr(unit_reports, "set TMPDIR"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST_IN_FOLDER(folders_that_nobody_can_exchange),
		UNIT_TEST_IN_FOLDER(what_is_no_folder),
		UNIT_TEST_IN_FOLDER(folders_that_others_can_write_to),
		UNIT_TEST_IN_FOLDER(folders_are_made),
		UNIT_TEST_IN_FOLDER(a_temporary_folder_comes_and_goes),
		UNIT_TEST_IN_FOLDER(another_folder_of_that_name_stays),
		UNIT_TEST_IN_FOLDER(no_temporary_folder_where_others_write),
	};

	return cmocka_run_group_tests_name("base-folders", tests, NULL, NULL);
}
