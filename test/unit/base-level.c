// SPDX-License-Identifier: MIT
/* Tests of base/level.h's table and of what provider/nft_bunyan.h makes of its own. */
#include "unit.h"

#include "base/level.h"

static void test_levels(void **state)
{
	static const struct base_level expected[] = {
		{ "trace", "bunyan:trace", "10", 10, LTTNG_LOGLEVEL_DEBUG },
		{ "debug", "bunyan:debug", "20", 20,
		  LTTNG_LOGLEVEL_DEBUG_SYSTEM },
		{ "info", "bunyan:info", "30", 30, LTTNG_LOGLEVEL_INFO },
		{ "warn", "bunyan:warn", "40", 40, LTTNG_LOGLEVEL_WARNING },
		{ "error", "bunyan:error", "50", 50, LTTNG_LOGLEVEL_ERR },
		{ "fatal", "bunyan:fatal", "60", 60, LTTNG_LOGLEVEL_CRIT },
	};

	(void)state;
	assert_int_equal(NFT_BUNYAN_NR_LEVELS, LENGTH(expected));
	for (size_t i = 0; i < LENGTH(expected); i++) {
		const struct base_level *level = &base_levels[i];

		assert_string_equal(level->name, expected[i].name);
		assert_string_equal(level->event, expected[i].event);
		assert_string_equal(level->text, expected[i].text);
		assert_int_equal(level->number, expected[i].number);
		assert_int_equal(level->loglevel, expected[i].loglevel);
	}
}

/* The events that carry all numbers near those of the levels, and the extremes. */
static void test_level_of_a_number(void **state)
{
	(void)state;
	assert_int_equal(nft_bunyan_level(INT32_MIN), NFT_BUNYAN_TRACE);
	assert_int_equal(nft_bunyan_level(INT32_MAX), NFT_BUNYAN_FATAL);
	for (int32_t number = -100; number < 1000; number++) {
		size_t expected = NFT_BUNYAN_NR_LEVELS - 1;

		while (expected && number < base_levels[expected].number)
			expected--;
		assert_int_equal(nft_bunyan_level(number), expected);
		assert_int_equal(base_level_of(number),
				 base_levels[expected].loglevel);
	}
}

static void test_event_names(void **state)
{
	(void)state;
	assert_true(base_level_is_event("bunyan:info"));
	assert_true(base_level_is_event("bunyan:of a newer version"));
	assert_false(base_level_is_event("bunyan"));
	assert_false(base_level_is_event("bunyans:info"));
	assert_false(base_level_is_event(""));
}

#define NAME(UPPER, name, ...) #name,

static void test_payload(void **state)
{
	static const char *const expected[] = {
		"level", "time", "name", "hostname", "pid", "msg", "fields",
	};
	static const char *const names[] = { NFT_BUNYAN_FIELDS(NAME, NAME,
							       NAME) };
	struct nft_bunyan_record record = {
		.name = { "1", 1 },
		.hostname = { "22", 2 },
		.msg = { "333", 3 },
		.fields = { "4444", 4 },
	};

	(void)state;
	assert_int_equal(LENGTH(names), LENGTH(expected));
	for (size_t i = 0; i < LENGTH(expected); i++)
		assert_string_equal(names[i], expected[i]);
	/* int32, int64 and int32; four NULs; a space for three empty strings */
	assert_int_equal(NFT_BUNYAN_FIXED_BYTES, 4 + 8 + 4 + 4 + 3);
	assert_int_equal(nft_bunyan_payload_bytes(&record), 23 + 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_level_of_a_number),
		cmocka_unit_test(test_event_names),
		cmocka_unit_test(test_payload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
