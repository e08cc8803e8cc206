// SPDX-License-Identifier: MIT
/* Tests of base/glob.h and base/level.h. */
#include "unit.h"

#include "base/glob.h"
#include "base/level.h"

static void globs(void **state)
{
	static const struct {
		const char *glob;
		const char *text;
		bool matches;
	} rows[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "a", "", false },
		{ "a", "a", true },
		{ "a", "A", false },
		{ "a", "aa", false },
		{ "aa", "a", false },
		{ "*", "", true },
		{ "*", "anything", true },
		{ "**", "", true },
		{ "a*", "a", true },
		{ "a*", "ba", false },
		{ "*a", "a", true },
		{ "*a", "ab", false },
		{ "*a", "aba", true },
		{ "a*b", "ab", true },
		{ "a*b", "a--b", true },
		{ "a*b", "a--b-", false },
		{ "*ab*ab", "abab", true },
		{ "*ab*ab", "ab", false },
		{ "*aab", "aaab", true },
		{ "a*b*c", "abbcbc", true },
		{ "a*b*c", "acb", false },
		{ "?", "a", false },
		{ "?", "?", true },
		{ "[a]", "a", false },
		{ "[a]", "[a]", true },
		{ "\\*", "*", true },
		{ "\\*", "a", false },
		{ "\\*", "\\*", false },
		{ "\\\\", "\\", true },
		{ "\\\\*", "\\a", true },
		{ "\\a", "a", true },
		{ "a\\*b*", "a*bc", true },
		{ "a\\*b*", "aabc", false },
		{ "*\\*", "a*", true },
		{ "*\\*", "ab", false },
		/* A backslash with nothing behind it is one. */
		{ "\\", "\\", true },
		{ "a\\", "a\\", true },
		{ "*\\", "a\\", true },
		{ "\\", "", false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char row[64];

		(void)snprintf(row, sizeof(row), "%s on %s", rows[i].glob,
			       rows[i].text);
		check_number(row,
			     base_filter_glob(rows[i].glob, rows[i].text,
					      strlen(rows[i].text)),
			     rows[i].matches);
	}
}

static void a_text_of_a_glob_may_have_nuls(void **state)
{
	(void)state;
	assert_true(base_filter_glob("a*b", "a\0b", 3));
	assert_false(base_filter_glob("a", "a\0b", 3));
	assert_false(base_filter_glob("a\\", "a\0", 2));
	/* Only @size bytes count. */
	assert_true(base_filter_glob("ab", "abc", 2));
}

static void many_stars_take_no_longer(void **state)
{
	char text[20000];

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_false(base_filter_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text,
				      sizeof(text)));
}

static void times_of_a_filter(void **state)
{
	const struct base_filter filter = { .begin = 10, .end = 20 };
	const struct base_filter all = BASE_FILTER_ALL;

	(void)state;
	assert_false(base_filter_time(&filter, 0, 9));
	assert_true(base_filter_time(&filter, 0, 10));
	assert_true(base_filter_time(&filter, 12, 13));
	assert_true(base_filter_time(&filter, 0, 30));
	assert_true(base_filter_time(&filter, 20, 30));
	assert_false(base_filter_time(&filter, 21, 30));
	assert_true(base_filter_time(&all, INT64_MIN, INT64_MIN));
	assert_true(base_filter_time(&all, INT64_MAX, INT64_MAX));
}

static void levels_of_a_filter(void **state)
{
	static const struct {
		const char *text;
		bool is_level;
		int32_t level;
	} rows[] = {
		{ "trace", true, 10 },
		{ "DEBUG", true, 20 },
		{ "Info", true, 30 },
		{ "warn", true, 40 },
		{ "error", true, 50 },
		{ "fatal", true, 60 },
		{ "0", true, 0 },
		{ "-1", true, -1 },
		{ "35", true, 35 },
		{ "2147483647", true, INT32_MAX },
		{ "2147483648", false, 0 },
		{ "-2147483648", true, INT32_MIN },
		{ "-2147483649", false, 0 },
		{ "99999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "warning", false, 0 },
		{ "30x", false, 0 },
		{ "30 ", false, 0 },
		{ "3.5", false, 0 },
		{ "0x1e", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		int32_t level = 0;

		check_number(rows[i].text,
			     base_filter_level(rows[i].text, &level),
			     rows[i].is_level);
		check_number(rows[i].text, level, rows[i].level);
	}
}

static void log_levels_by_name(void **state)
{
	static const struct {
		const char *text;
		int level; /* -1: it is none */
	} rows[] = {
		{ "trace", LTTNG_LOGLEVEL_DEBUG },
		{ "10", LTTNG_LOGLEVEL_DEBUG },
		{ "debug", LTTNG_LOGLEVEL_DEBUG_SYSTEM },
		{ "20", LTTNG_LOGLEVEL_DEBUG_SYSTEM },
		{ "INFO", LTTNG_LOGLEVEL_INFO },
		{ "30", LTTNG_LOGLEVEL_INFO },
		{ "Warn", LTTNG_LOGLEVEL_WARNING },
		{ "40", LTTNG_LOGLEVEL_WARNING },
		{ "error", LTTNG_LOGLEVEL_ERR },
		{ "50", LTTNG_LOGLEVEL_ERR },
		{ "fatal", LTTNG_LOGLEVEL_CRIT },
		{ "60", LTTNG_LOGLEVEL_CRIT },
		{ "", -1 },
		{ "0", -1 },
		{ "35", -1 },
		{ "70", -1 },
		{ "030", -1 },
		{ "warning", -1 },
		{ " info", -1 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		enum lttng_loglevel level = LTTNG_LOGLEVEL_EMERG;

		check_number(rows[i].text,
			     base_level_parse(rows[i].text, &level),
			     rows[i].level >= 0);
		if (rows[i].level >= 0)
			check_number(rows[i].text, level, rows[i].level);
	}
}

static void log_levels_by_number(void **state)
{
	static const struct {
		int32_t number;
		enum lttng_loglevel level;
	} rows[] = {
		{ INT32_MIN, LTTNG_LOGLEVEL_DEBUG },
		{ 0, LTTNG_LOGLEVEL_DEBUG },
		{ 19, LTTNG_LOGLEVEL_DEBUG },
		{ 20, LTTNG_LOGLEVEL_DEBUG_SYSTEM },
		{ 29, LTTNG_LOGLEVEL_DEBUG_SYSTEM },
		{ 30, LTTNG_LOGLEVEL_INFO },
		{ 39, LTTNG_LOGLEVEL_INFO },
		{ 40, LTTNG_LOGLEVEL_WARNING },
		{ 49, LTTNG_LOGLEVEL_WARNING },
		{ 50, LTTNG_LOGLEVEL_ERR },
		{ 59, LTTNG_LOGLEVEL_ERR },
		{ 60, LTTNG_LOGLEVEL_CRIT },
		{ INT32_MAX, LTTNG_LOGLEVEL_CRIT },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		assert_int_equal(base_level_of(rows[i].number), rows[i].level);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs),
		cmocka_unit_test(a_text_of_a_glob_may_have_nuls),
		cmocka_unit_test(many_stars_take_no_longer),
		cmocka_unit_test(times_of_a_filter),
		cmocka_unit_test(levels_of_a_filter),
		cmocka_unit_test(log_levels_by_name),
		cmocka_unit_test(log_levels_by_number),
	};

	return cmocka_run_group_tests_name("base-glob", tests, NULL, NULL);
}
