/* SPDX-License-Identifier: MIT */
/*
 * What unit tests have in common: cmocka, comparisons that name the row of a
 * table, and folders that go away.
 */
#ifndef NFTRACE_TEST_UNIT_UNIT_H
#define NFTRACE_TEST_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/report.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Initializes a struct base_slice with a string literal, which may have NULs. */
#define BYTES(literal)                       \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

#define MOST_SHOWN 200

/* Fails, naming @row, unless two runs of bytes are equal. */
static inline void check_bytes(const char *row, const char *actual, size_t size,
			       const char *expected, size_t expected_size)
{
	if (size == expected_size &&
	    (!size || memcmp(actual, expected, size) == 0))
		return;
	fail_msg("%s: \"%.*s\" (%zu bytes) where \"%.*s\" (%zu bytes) belongs",
		 row, (int)(size < MOST_SHOWN ? size : MOST_SHOWN),
		 size ? actual : "", size,
		 (int)(expected_size < MOST_SHOWN ? expected_size : MOST_SHOWN),
		 expected, expected_size);
}

/* The same for a string. */
static inline void check_string(const char *row, const char *actual,
				size_t size, const char *expected)
{
	check_bytes(row, actual, size, expected, strlen(expected));
}

/* Fails, naming @row, unless two numbers are equal. */
static inline void check_number(const char *row, int64_t actual,
				int64_t expected)
{
	if (actual != expected)
		fail_msg("%s: %lld where %lld belongs", row, (long long)actual,
			 (long long)expected);
}

/* The messages that came through base_report(), each on a line of its own. */
static char unit_reports[4096];

static inline void unit_note_report(const char *text)
{
	size_t used = strlen(unit_reports);

	(void)snprintf(unit_reports + used, sizeof(unit_reports) - used, "%s\n",
		       text);
}

/*
 * For setup and teardown of a test that needs a folder: *@state is its path.
 * Messages are noted from then on.
 */
static inline int unit_make_folder(void **state)
{
	char *path = strdup("/tmp/nftrace-unit-XXXXXX");

	unit_reports[0] = '\0';
	base_report_to(unit_note_report);
	*state = path;
	return path && mkdtemp(path) ? 0 : -1;
}

static inline int unit_remove_folder(void **state)
{
	char command[128];
	int status;

	(void)snprintf(command, sizeof(command), "rm -rf '%s'",
		       (const char *)*state);
	status = system(command); // NOLINT(cert-env33-c)
	free(*state);
	return status;
}

#define UNIT_TEST_IN_FOLDER(test)                               \
	cmocka_unit_test_setup_teardown(test, unit_make_folder, \
					unit_remove_folder)

/* A path below a folder; valid until the fourth call from then on. */
static inline const char *unit_path(const char *folder, const char *name)
{
	static char paths[4][4096];
	static size_t next;
	char *path = paths[next++ % LENGTH(paths)];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

/* Writes a file. */
static inline void unit_write(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	if (size)
		assert_int_equal(fwrite(bytes, size, 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

#endif /* NFTRACE_TEST_UNIT_UNIT_H */
