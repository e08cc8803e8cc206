// SPDX-License-Identifier: MIT
/* Tests of pipe/record.h and pipe/limit.h: records out of lines. */
#include "unit.h"

#include <yajl/yajl_parse.h>

#include "base/date.h"
#include "base/utf8_repair.h"
#include "pipe/record.h"

/* Makes the record of a line. */
static struct nft_bunyan_record record_of(struct pipe_recorder *recorder,
					  struct base_slice text)
{
	const struct pipe_line line = { .text = text };
	struct nft_bunyan_record record;

	assert_int_equal(pipe_recorder_parse(recorder, &line), 0);
	assert_int_equal(pipe_recorder_build(recorder, &record), 0);
	return record;
}

static size_t payload_size(const struct nft_bunyan_record *record)
{
	return NFT_BUNYAN_FIXED_BYTES + record->name.size +
	       record->hostname.size + record->msg.size + record->fields.size;
}

static void levels(void **state)
{
	static const struct {
		const char *level;
		int32_t number;
		enum nft_bunyan_level event;
		const char *fields;
	} rows[] = {
		{ "30", 30, NFT_BUNYAN_INFO, "{}" },
		{ "3e1", 30, NFT_BUNYAN_INFO, "{}" },
		{ "0", 0, NFT_BUNYAN_TRACE, "{}" },
		{ "19", 19, NFT_BUNYAN_TRACE, "{}" },
		{ "20", 20, NFT_BUNYAN_DEBUG, "{}" },
		{ "59", 59, NFT_BUNYAN_ERROR, "{}" },
		{ "60", 60, NFT_BUNYAN_FATAL, "{}" },
		{ "2147483647", INT32_MAX, NFT_BUNYAN_FATAL, "{}" },
		{ "-2147483648", INT32_MIN, NFT_BUNYAN_TRACE, "{}" },
		/* What is no int32 stands in fields, too. */
		{ "2147483648", INT32_MAX, NFT_BUNYAN_FATAL,
		  "{\"level\":2147483648}" },
		{ "-2147483649", INT32_MIN, NFT_BUNYAN_TRACE,
		  "{\"level\":-2147483649}" },
		{ "29.9", 29, NFT_BUNYAN_DEBUG, "{\"level\":29.9}" },
		{ "-0.5", -1, NFT_BUNYAN_TRACE, "{\"level\":-0.5}" },
		{ "1e400", 30, NFT_BUNYAN_INFO, "{\"level\":null}" },
		{ "\"info\"", 30, NFT_BUNYAN_INFO, "{\"level\":\"info\"}" },
		{ "null", 30, NFT_BUNYAN_INFO, "{\"level\":null}" },
	};
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_DEFAULT };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char line[256];
		int size = snprintf(
			line, sizeof(line),
			"{\"name\":\"n\",\"hostname\":\"h\",\"pid\":1,"
			"\"level\":%s,\"msg\":\"m\","
			"\"time\":\"2000-01-01T00:00:00.000Z\",\"v\":0}",
			rows[i].level);
		struct nft_bunyan_record record = record_of(
			&recorder, (struct base_slice){ line, (size_t)size });

		check_number(rows[i].level, record.level, rows[i].number);
		check_number(rows[i].level, recorder.level, rows[i].event);
		check_string(rows[i].level, record.fields.data,
			     record.fields.size, rows[i].fields);
		assert_true(record.time == INT64_C(946684800000));
		assert_int_equal(record.pid, 1);
		check_string("name", record.name.data, record.name.size, "n");
		check_string("msg", record.msg.data, record.msg.size, "m");
	}
	pipe_recorder_free(&recorder);
}

/* Members that the payload can't carry as they are stand in fields, too. */
static void what_stands_in_fields(void **state)
{
	static const struct {
		const char *line;
		const char *msg;
		const char *fields;
	} rows[] = {
		{ "{\"msg\":\"m\",\"v\":0}", "m", "{}" },
		{ "{\"msg\":\"m\",\"v\":1}", "m", "{\"v\":1}" },
		{ "{\"b\":[1, 2],\"a\":null,\"msg\":\"m\",\"v\":0}", "m",
		  "{\"b\":[1,2],\"a\":null}" },
		{ "{\"msg\":\"\",\"v\":0}", "", "{\"msg\":\"\"}" },
		{ "{\"msg\":7,\"v\":0}", " ", "{\"msg\":7}" },
		{ "{\"v\":0}", " ", "{}" },
		{ "{\"msg\":\"a\\u0000b\",\"v\":0}", NULL,
		  "{\"msg\":\"a\\u0000b\"}" },
		{ "{\"msg\":\"\\ud83d\",\"v\":0}", "\xef\xbf\xbd",
		  "{\"msg\":\"\\ud83d\"}" },
		{ "{\"msg\":\"\\ud83d\\ude00\",\"v\":0}", "\xf0\x9f\x98\x80",
		  "{}" },
		{ "{\"msg\":\"\xff\",\"v\":0}", "\xef\xbf\xbd", "{}" },
		{ "{\"pid\":1.5,\"msg\":\"m\",\"v\":0}", "m", "{\"pid\":1.5}" },
		{ "{\"pid\":2147483648,\"msg\":\"m\",\"v\":0}", "m",
		  "{\"pid\":2147483648}" },
		{ "{\"msg\":\"m\",\"time\":\"1970-01-01\",\"v\":0}", "m",
		  "{\"time\":\"1970-01-01\"}" },
		{ "{\"msg\":\"m\",\"time\":\"1970-01-01T00:00:00.000Z\",\"v\":"
		  "0}",
		  "m", "{}" },
		/* Members in another order have marks. */
		{ "{\"name\":\"n\",\"own\":1,\"level\":30,\"a\":2,\"msg\":"
		  "\"m\","
		  "\"v\":0}",
		  "m", "{\"own\":1 ,\"a\":2} " },
		{ "{\"own\":1,\"name\":\"n\",\"hostname\":\"h\",\"pid\":1,"
		  "\"level\":30,\"msg\":\"m\",\"v\":0}",
		  "m", "{\"own\":1\r \r\t\r\n }\r \r\t\r\n " },
		{ "{\"hostname\":\"h\",\"name\":\"n\",\"msg\":\"m\",\"v\":0}",
		  "m", "{\r }\r " },
		{ "{\"v\":0,\"time\":\"1970-01-01T00:00:00.000Z\",\"msg\":"
		  "\"m\","
		  "\"a\":1}",
		  "m", "{\r\r\t\n\"a\":1}\n\t\r\r" },
		{ "{\"a\":1,\"level\":1.5,\"msg\":\"m\",\"v\":0}", "m",
		  "{\"a\":1 ,\"level\":1.5} " },
	};
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_DEFAULT };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct nft_bunyan_record record = record_of(
			&recorder, (struct base_slice){ rows[i].line,
							strlen(rows[i].line) });

		assert_true(recorder.is_json);
		check_string(rows[i].line, record.fields.data,
			     record.fields.size, rows[i].fields);
		if (rows[i].msg)
			check_string(rows[i].line, record.msg.data,
				     record.msg.size, rows[i].msg);
		else
			check_bytes(rows[i].line, record.msg.data,
				    record.msg.size, "a\0b", 3);
	}
	pipe_recorder_free(&recorder);
}

static void numbers_as_times(void **state)
{
	static const struct {
		const char *line;
		int64_t ms;
	} rows[] = {
		{ "{\"time\":0}", 0 },
		{ "{\"time\":1.9}", 1 },
		{ "{\"time\":-1.9}", -1 },
		{ "{\"time\":8640000000000000}", BASE_TIME_MAX },
		{ "{\"time\":-8640000000000000}", -BASE_TIME_MAX },
	};
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_DEFAULT };
	struct base_slice beyond = BYTES("{\"time\":8640000000000001}");
	int64_t before = base_time_now();

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		check_number(
			rows[i].line,
			record_of(&recorder,
				  (struct base_slice){ rows[i].line,
						       strlen(rows[i].line) })
				.time,
			rows[i].ms);
	/* No Date: it is now. */
	assert_true(record_of(&recorder, beyond).time >= before);
	pipe_recorder_free(&recorder);
}

static void lines_that_are_no_json(void **state)
{
	static const struct {
		struct base_slice line;
		const char *msg;
	} rows[] = {
		{ BYTES("plain text"), "plain text" },
		{ BYTES("[1]"), "[1]" },
		{ BYTES("{\"a\":1"), "{\"a\":1" },
		{ BYTES("\"quoted\\"), "\"quoted\\" },
		{ BYTES("bad \xff"), "bad \xef\xbf\xbd" },
	};
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_DEFAULT };

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct nft_bunyan_record record =
			record_of(&recorder, rows[i].line);

		assert_false(recorder.is_json);
		assert_true(recorder.parser.error[0]);
		assert_int_equal(recorder.level, NFT_BUNYAN_INFO);
		assert_int_equal(record.level, 30);
		assert_int_equal(record.pid, getpid());
		check_string(rows[i].msg, record.msg.data, record.msg.size,
			     rows[i].msg);
	}
	pipe_recorder_free(&recorder);
}

static void check_valid(const struct nft_bunyan_record *record)
{
	yajl_handle yajl = yajl_alloc(NULL, NULL, NULL);

	assert_int_equal(record->fields.data[record->fields.size], '\0');
	assert_int_equal(record->msg.data[record->msg.size], '\0');
	assert_true(base_utf8_is_valid(
		(struct base_slice){ record->msg.data, record->msg.size }));
	assert_int_equal(yajl_parse(yajl,
				    (const unsigned char *)record->fields.data,
				    record->fields.size),
			 yajl_status_ok);
	assert_int_equal(yajl_complete_parse(yajl), yajl_status_ok);
	yajl_free(yajl);
}

/* Adds what a row has: a member and a message of so many characters. */
static void make_line(struct base_text *line, size_t msg, size_t member)
{
	static const char filler[] = "xxxxxxxxxxxxxxxx";

	line->size = 0;
	base_text_bytes(line, "{\"a\":\"", 6);
	while (member--)
		base_text_bytes(line, "\xc3\xa9", 2);
	base_text_bytes(line, "\",\"msg\":\"", 9);
	while (msg--)
		base_text_char(line, filler[0]);
	base_text_bytes(line, "\",\"v\":0}", 8);
}

/* A record of exactly the limit stays whole; one byte more, and it is cut. */
static void records_around_the_limit(void **state)
{
	static const size_t limits[] = { NFT_BUNYAN_LIMIT_LEAST,
					 NFT_BUNYAN_LIMIT_LEAST + 1,
					 NFT_BUNYAN_LIMIT_DEFAULT };
	/* The payload but for msg: "a", of 100 characters, and two spaces. */
	const size_t others = NFT_BUNYAN_FIXED_BYTES + 2 + 8 + 200;
	struct base_text line = { 0 };

	(void)state;
	for (size_t i = 0; i < LENGTH(limits); i++) {
		for (size_t beyond = 0; beyond < 3; beyond++) {
			struct pipe_recorder recorder = { .limit = limits[i] };
			struct nft_bunyan_record record;
			bool is_cut;

			make_line(&line, limits[i] - others + beyond - 1, 100);
			record = record_of(
				&recorder,
				(struct base_slice){ line.data, line.size });
			is_cut = strstr(record.fields.data,
					"\"nftrace_truncated\":{\"bytes\":");
			assert_int_equal(is_cut, beyond == 2);
			assert_true(payload_size(&record) <= limits[i]);
			if (beyond == 1)
				assert_int_equal(payload_size(&record),
						 limits[i]);
			check_valid(&record);
			pipe_recorder_free(&recorder);
		}
	}
	base_text_free(&line);
}

/* The largest strings are cut first, and the mark says so. */
static void the_largest_string_is_cut(void **state)
{
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_LEAST };
	struct base_text line = { 0 };
	struct nft_bunyan_record record;
	char mark[128];

	(void)state;
	make_line(&line, 5000, 10);
	record = record_of(&recorder,
			   (struct base_slice){ line.data, line.size });
	/* {"a":"…20 bytes…"} is 28, and the spaces of name and hostname. */
	(void)snprintf(mark, sizeof(mark),
		       "\"nftrace_truncated\":{\"bytes\":%zu,\"cut\":1}}",
		       NFT_BUNYAN_FIXED_BYTES + 2 + 5000 + 28);
	assert_non_null(strstr(record.fields.data, mark));
	assert_non_null(strstr(record.fields.data, "\"a\":\"\xc3\xa9"));
	assert_null(strstr(record.fields.data, "\xe2\x80\xa6"));
	assert_memory_equal(record.msg.data + record.msg.size - 4,
			    "x\xe2\x80\xa6", 4);
	assert_true(payload_size(&record) <= NFT_BUNYAN_LIMIT_LEAST);
	base_text_free(&line);
	pipe_recorder_free(&recorder);
}

/* Where cutting strings is not enough, members go, and the mark names eight. */
static void members_are_dropped(void **state)
{
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_LEAST };
	struct base_text line = { 0 };
	struct nft_bunyan_record record;
	const char *dropped;

	(void)state;
	base_text_bytes(&line, "{\"v\":0", 6);
	for (int i = 0; i < 300; i++) {
		char text[32];

		base_text_bytes(&line, text,
				(size_t)snprintf(text, sizeof(text),
						 ",\"k%03d\":%d", i, 1000 + i));
	}
	base_text_char(&line, '}');
	record = record_of(&recorder,
			   (struct base_slice){ line.data, line.size });
	check_valid(&record);
	assert_true(payload_size(&record) <= NFT_BUNYAN_LIMIT_LEAST);
	dropped = strstr(record.fields.data, "\"dropped\":[");
	assert_non_null(dropped);
	/* Of one size, the first ones go, and the last one stays. */
	check_bytes("dropped", dropped, strlen(dropped),
		    "\"dropped\":[\"k000\",\"k001\",\"k002\",\"k003\",\"k004\","
		    "\"k005\",\"k006\",\"k007\"]}}",
		    strlen("\"dropped\":[]}}") + (size_t)8 * 7 - 1);
	assert_non_null(strstr(record.fields.data, "\"k299\":1299"));
	base_text_free(&line);
	pipe_recorder_free(&recorder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(what_stands_in_fields),
		cmocka_unit_test(numbers_as_times),
		cmocka_unit_test(lines_that_are_no_json),
		cmocka_unit_test(records_around_the_limit),
		cmocka_unit_test(the_largest_string_is_cut),
		cmocka_unit_test(members_are_dropped),
	};

	return cmocka_run_group_tests_name("pipe-record", tests, NULL, NULL);
}
