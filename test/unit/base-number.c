// SPDX-License-Identifier: MIT
/*
 * Tests of base/number.h. What is expected is what
 * JSON.stringify(JSON.parse(text)) gives.
 */
#include "unit.h"

#include <math.h>

#include "base/number.h"

static void numbers_as_javascript_writes_them(void **state)
{
	static const struct {
		const char *text;
		const char *expected;
	} rows[] = {
		{ "0", "0" },
		{ "-0", "0" },
		{ "1", "1" },
		{ "-1", "-1" },
		{ "123456789012345", "123456789012345" },
		{ "1234567890123456", "1234567890123456" },
		{ "12345678901234567", "12345678901234568" },
		{ "9007199254740991", "9007199254740991" },
		{ "9007199254740992", "9007199254740992" },
		{ "9007199254740993", "9007199254740992" },
		{ "-9007199254740993", "-9007199254740992" },
		{ "9223372036854775807", "9223372036854776000" },
		{ "18446744073709551615", "18446744073709552000" },
		{ "1e21", "1e+21" },
		{ "1e20", "100000000000000000000" },
		{ "123456789012345678901", "123456789012345680000" },
		{ "100000000000000000000", "100000000000000000000" },
		{ "1000000000000000000000", "1e+21" },
		{ "0.1", "0.1" },
		{ "0.30000000000000004", "0.30000000000000004" },
		{ "0.1000000000000000055511151231257827", "0.1" },
		{ "1.0", "1" },
		{ "1.50", "1.5" },
		{ "-1.5e0", "-1.5" },
		{ "1E2", "100" },
		{ "1e+2", "100" },
		{ "1e-6", "0.000001" },
		{ "1e-7", "1e-7" },
		{ "0.000001", "0.000001" },
		{ "0.0000001", "1e-7" },
		{ "1.5e-7", "1.5e-7" },
		{ "5e-324", "5e-324" },
		{ "4.9e-324", "5e-324" },
		{ "2.4e-324", "0" },
		{ "2.5e-324", "5e-324" },
		{ "-2e-324", "0" },
		{ "1.7976931348623157e308", "1.7976931348623157e+308" },
		{ "1.7976931348623158e308", "1.7976931348623157e+308" },
		{ "1.7976931348623159e308", "null" },
		{ "1.8e308", "null" },
		{ "-1e400", "null" },
		{ "1e290", "1e+290" },
		{ "1e291", "1e+291" },
		{ "1e-290", "1e-290" },
		{ "1e-291", "1e-291" },
		{ "2.2250738585072014e-308", "2.2250738585072014e-308" },
		{ "2.2250738585072011e-308", "2.225073858507201e-308" },
		{ "0e999", "0" },
		{ "0.0", "0" },
		{ "-0.0", "0" },
		{ "123e-20", "1.23e-18" },
		{ "0."
		  "000000000000000000000000000000000000000000000000000000000000"
		  "00001",
		  "1e-65" },
		{ "100000000000000000000000000000000000000000000000000000000000"
		  "000",
		  "1e+62" },
		{ "100000000000000000000000000000000000000000000000000000000000"
		  "0000",
		  "1e+63" },
		{ "100000000000000000000000000000000000000000000000000000000000"
		  "00000",
		  "1e+64" },
		{ "0."
		  "333333333333333333333333333333333333333333333333333333333333"
		  "3333333333333333333333333333333333333333",
		  "0.3333333333333333" },
		{ "999999999999999", "999999999999999" },
		{ "999999999999999.9", "999999999999999.9" },
		{ "9999999999999999", "10000000000000000" },
		{ "1e15", "1000000000000000" },
		{ "5e-7", "5e-7" },
		{ "4.35", "4.35" },
		{ "1.005", "1.005" },
		{ "2e308", "null" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct base_slice text = { rows[i].text, strlen(rows[i].text) };
		struct base_text out = { 0 };

		base_number_write(&out, text);
		check_string(rows[i].text, out.data, out.size,
			     rows[i].expected);
		base_text_free(&out);
	}
}

/* The text need not end with a NUL. */
static void values(void **state)
{
	static const struct {
		struct base_slice text;
		double value;
	} rows[] = {
		{ { "12", 1 }, 1 },
		{ { "-12", 2 }, -1 },
		{ { "9007199254740992x", 16 }, 9007199254740992.0 },
		{ BYTES("9007199254740993"), 9007199254740992.0 },
		{ BYTES("0.1"), 0.1 },
		{ BYTES("5e-324"), 5e-324 },
		{ BYTES("1e400"), INFINITY },
		{ BYTES("-1e400"), -INFINITY },
		/* Longer than what is copied to the stack. */
		{ BYTES("000000000000000000000000000000000000000000000000000000"
			"00000000000000000000000000000000000000000000000007"),
		  7 },
	};

	double value;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (base_number_read(rows[i].text, &value) ||
		    value != rows[i].value)
			fail_msg("%s", rows[i].text.data);
	assert_int_equal(
		base_number_read((struct base_slice){ "-0", 2 }, &value), 0);
	assert_true(signbit(value));
}

static void digits_that_read_back(void **state)
{
	static const struct {
		const char *row;
		double value;
		bool is_single;
		int least;
		int precision;
	} rows[] = {
		{ "0.1", 0.1, false, 1, 1 },
		{ "0.1 of 15", 0.1, false, 15, 15 },
		{ "0.1 + 0.2", 0.1 + 0.2, false, 1, 17 },
		{ "100", 100, false, 1, 1 },
		{ "-1.25", -1.25, false, 1, 3 },
		{ "1 / 3", 1.0 / 3, false, 15, 16 },
		{ "the least", 5e-324, false, 1, 1 },
		{ "0", 0, false, 1, 1 },
		{ "0.1f", 0.1F, true, 6, 6 },
		{ "0.1f as a double", 0.1F, false, 1, 17 },
		{ "1f / 3", 1.0F / 3, true, 6, 8 },
		{ "16777217f", 16777216.0F, true, 6, 8 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		check_number(rows[i].row,
			     base_number_precision(rows[i].value,
						   rows[i].is_single,
						   rows[i].least),
			     rows[i].precision);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_as_javascript_writes_them),
		cmocka_unit_test(values),
		cmocka_unit_test(digits_that_read_back),
	};

	return cmocka_run_group_tests_name("base-number", tests, NULL, NULL);
}
