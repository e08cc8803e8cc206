// SPDX-License-Identifier: MIT
/*
 * Tests of base/date.h and base/time.h. What is expected is what Date.parse()
 * and Date.prototype.toISOString() give.
 */
#include "unit.h"

#include <time.h>

#include "base/date.h"
#include "base/time.h"

static void times_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
		bool is_time;
		bool is_exact; /* toISOString() writes it just so */
	} rows[] = {
		{ "1970-01-01", INT64_C(0), true, false },
		{ "1970", INT64_C(0), true, false },
		{ "1970-02", INT64_C(2678400000), true, false },
		{ "2024-02-29", INT64_C(1709164800000), true, false },
		{ "2023-02-29", INT64_C(1677628800000), true, false },
		{ "2023-02-30", INT64_C(1677715200000), true, false },
		{ "2023-04-31", INT64_C(1682899200000), true, false },
		{ "2023-02-32", INT64_C(0), false, false },
		{ "2023-00-01", INT64_C(0), false, false },
		{ "2023-13-01", INT64_C(0), false, false },
		{ "2000-01-01T00:00Z", INT64_C(946684800000), true, false },
		{ "2000-01-01T00:00:00Z", INT64_C(946684800000), true, false },
		{ "2000-01-01T00:00:00.000Z", INT64_C(946684800000), true,
		  true },
		{ "2000-01-01T00:00:00.1Z", INT64_C(946684800100), true,
		  false },
		{ "2000-01-01T00:00:00.1239Z", INT64_C(946684800123), true,
		  false },
		{ "2000-01-01T24:00:00.000Z", INT64_C(946771200000), true,
		  false },
		{ "2000-01-01T24:00:00.001Z", INT64_C(0), false, false },
		{ "2000-01-01T23:59:59.999Z", INT64_C(946771199999), true,
		  true },
		{ "2000-01-01T23:60:00Z", INT64_C(0), false, false },
		{ "2000-01-01T23:59:60Z", INT64_C(0), false, false },
		{ "2000-01-01T25:00Z", INT64_C(0), false, false },
		{ "2000-01-01T00:00:00.000+00:00", INT64_C(946684800000), true,
		  false },
		{ "2000-01-01T00:00:00.000+05:30", INT64_C(946665000000), true,
		  false },
		{ "2000-01-01T00:00:00.000-23:59", INT64_C(946771140000), true,
		  false },
		{ "2000-01-01T00:00:00.000+24:00", INT64_C(0), false, false },
		{ "2000-01-01T00:00:00.Z", INT64_C(0), false, false },
		{ "2000-01-01T", INT64_C(0), false, false },
		{ "+275760-09-13T00:00:00.000Z", INT64_C(8640000000000000),
		  true, true },
		{ "+275760-09-13T00:00:00.001Z", INT64_C(0), false, false },
		{ "-271821-04-20T00:00:00.000Z", INT64_C(-8640000000000000),
		  true, true },
		{ "-271821-04-19T23:59:59.999Z", INT64_C(0), false, false },
		{ "-000000-01-01T00:00:00.000Z", INT64_C(0), false, false },
		{ "+000000-01-01T00:00:00.000Z", INT64_C(-62167219200000), true,
		  false },
		{ "0000-01-01T00:00:00.000Z", INT64_C(-62167219200000), true,
		  true },
		{ "-000001-12-31T23:59:59.999Z", INT64_C(-62167219200001), true,
		  true },
		{ "9999-12-31T23:59:59.999Z", INT64_C(253402300799999), true,
		  true },
		{ "+009999-12-31T23:59:59.999Z", INT64_C(253402300799999), true,
		  false },
		{ "+010000-01-01T00:00:00.000Z", INT64_C(253402300800000), true,
		  true },
		{ "1900-02-29T00:00:00.000Z", INT64_C(-2203891200000), true,
		  false },
		{ "", INT64_C(0), false, false },
		{ "2000-01-01T00:00:00.000Z ", INT64_C(0), false, false },
		{ "1969-12-31T23:59:59.999Z", INT64_C(-1), true, true },
		/* Date.parse() takes these, but not as ECMAScript's format. */
		{ "2000-01-01T00:00:00.000+0530", 0, false, false },
		{ "2000-01-01Z", 0, false, false },
		{ "2000-1-1", 0, false, false },
		{ "2000-01-", 0, false, false },
		{ "200", 0, false, false },
		{ "20000", 0, false, false },
		{ "2000-01-01t00:00Z", 0, false, false },
		{ "2000-01-01 00:00Z", 0, false, false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		size_t size = strlen(rows[i].text);
		char *text = malloc(size + 1);
		bool is_exact = false;
		int64_t ms = 0;

		/* Without a NUL: the sanitizer sees a read past the end. */
		assert_non_null(text);
		text = realloc(memcpy(text, rows[i].text, size),
			       size ? size : 1);
		assert_non_null(text);
		check_number(rows[i].text,
			     base_time_parse((struct base_slice){ text, size },
					     &ms, &is_exact),
			     rows[i].is_time);
		if (rows[i].is_time) {
			check_number(rows[i].text, ms, rows[i].ms);
			check_number(rows[i].text, is_exact, rows[i].is_exact);
		}
		free(text);
	}
}

static void local_times_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {
		{ "2000-01-01T00:00", INT64_C(946681200000) },
		{ "2000-07-01T00:00:00.5", INT64_C(962402400500) },
		/* A date alone is in UTC. */
		{ "2000-07-01", INT64_C(962409600000) },
	};

	(void)state;
	assert_int_equal(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
	tzset();
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_slice text = { rows[i].text, strlen(rows[i].text) };
		bool is_exact = true;
		int64_t ms = 0;

		assert_true(base_time_parse(text, &ms, &is_exact));
		check_number(rows[i].text, ms, rows[i].ms);
		assert_false(is_exact);
	}
}

static void times_are_written(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {
		{ INT64_C(0), "\"1970-01-01T00:00:00.000Z\"" },
		{ INT64_C(-1), "\"1969-12-31T23:59:59.999Z\"" },
		{ INT64_C(999), "\"1970-01-01T00:00:00.999Z\"" },
		{ INT64_C(1000), "\"1970-01-01T00:00:01.000Z\"" },
		{ INT64_C(8640000000000000),
		  "\"+275760-09-13T00:00:00.000Z\"" },
		{ INT64_C(-8640000000000000),
		  "\"-271821-04-20T00:00:00.000Z\"" },
		{ INT64_C(253402300799999), "\"9999-12-31T23:59:59.999Z\"" },
		{ INT64_C(253402300800000), "\"+010000-01-01T00:00:00.000Z\"" },
		{ INT64_C(-62167219200000), "\"0000-01-01T00:00:00.000Z\"" },
		{ INT64_C(-62167219200001), "\"-000001-12-31T23:59:59.999Z\"" },
		{ INT64_C(951782400000), "\"2000-02-29T00:00:00.000Z\"" },
		/* No Date holds these. */
		{ INT64_C(8640000000000001), "8640000000000001" },
		{ INT64_C(-8640000000000001), "-8640000000000001" },
		{ INT64_C(9007199254740992), "\"9007199254740992\"" },
		{ INT64_MIN, "\"-9223372036854775808\"" },
	};
	struct base_time time = { 0 };

	(void)state;
	/* In a row: what is kept of the second before must not stay. */
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_text text = { 0 };

		base_time_append(&time, &text, rows[i].ms);
		check_string(rows[i].text, text.data, text.size, rows[i].text);
		base_text_free(&text);
	}
}

static void nanoseconds_are_written(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "\"1970-01-01T00:00:00.000000000Z\"" },
		{ 1, "\"1970-01-01T00:00:00.000000001Z\"" },
		{ -1, "\"1969-12-31T23:59:59.999999999Z\"" },
		{ 999999999, "\"1970-01-01T00:00:00.999999999Z\"" },
		{ 1000000000, "\"1970-01-01T00:00:01.000000000Z\"" },
		{ INT64_MAX, "\"2262-04-11T23:47:16.854775807Z\"" },
		{ INT64_MIN, "\"1677-09-21T00:12:43.145224192Z\"" },
	};
	struct base_time time = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_text text = { 0 };

		base_time_append_ns(&time, &text, rows[i].ns);
		check_string(rows[i].text, text.data, text.size, rows[i].text);
		base_text_free(&text);
	}
}

static void nanoseconds_are_rounded_down(void **state)
{
	static const struct {
		int64_t ns;
		int64_t ms;
	} rows[] = {
		{ 0, 0 },
		{ 999999, 0 },
		{ 1000000, 1 },
		{ -1, -1 },
		{ -1000000, -1 },
		{ -1000001, -2 },
		{ INT64_MAX, INT64_C(9223372036854) },
		{ INT64_MIN, INT64_C(-9223372036855) },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		check_number("rounded", base_time_ms(rows[i].ns), rows[i].ms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(local_times_are_read),
		cmocka_unit_test(times_are_written),
		cmocka_unit_test(nanoseconds_are_written),
		cmocka_unit_test(nanoseconds_are_rounded_down),
	};

	return cmocka_run_group_tests_name("base-date", tests, NULL, NULL);
}
