// SPDX-License-Identifier: MIT
/* Tests of pipe/line.h: lines out of a stream that comes in pieces. */
#include "unit.h"

#include "pipe/line.h"

/*
 * Puts a stream through a liner in pieces of @piece bytes. Adds each line to
 * @out, in brackets.
 */
static void split(struct base_text *out, struct base_slice stream, size_t piece)
{
	struct pipe_liner liner = { 0 };
	struct pipe_line line;

	pipe_liner_begin(&liner, 0);
	for (size_t at = 0; at < stream.size; at += piece) {
		size_t size = stream.size - at < piece ? stream.size - at
						       : piece;
		/* Of its own, and gone when the next one comes. */
		char *copy = malloc(size);
		struct base_slice bytes = { copy, size };

		assert_non_null(copy);
		memcpy(copy, stream.data + at, size);
		while (bytes.size) {
			if (!pipe_liner_next(&liner, &bytes, &line))
				continue;
			base_text_char(out, '[');
			base_text_bytes(out, line.text.data, line.text.size);
			base_text_char(out, ']');
			assert_int_equal(line.cut + line.left_out, 0);
		}
		free(copy);
	}
	if (pipe_liner_last(&liner, &line)) {
		base_text_char(out, '<');
		base_text_bytes(out, line.text.data, line.text.size);
		base_text_char(out, '>');
	}
	assert_false(pipe_liner_last(&liner, &line));
	pipe_liner_free(&liner);
}

static void lines_in_pieces_of_any_size(void **state)
{
	static const struct {
		struct base_slice stream;
		struct base_slice lines; /* "<>": it has no end */
	} rows[] = {
		{ BYTES(""), BYTES("") },
		{ BYTES("\n"), BYTES("[]") },
		{ BYTES("\n\n"), BYTES("[][]") },
		{ BYTES("a"), BYTES("<a>") },
		{ BYTES("a\n"), BYTES("[a]") },
		{ BYTES("a\nb"), BYTES("[a]<b>") },
		{ BYTES("a\r\n"), BYTES("[a]") },
		{ BYTES("a\r\r\n"), BYTES("[a\r]") },
		{ BYTES("a\rb\n"), BYTES("[a\rb]") },
		{ BYTES("\r\n"), BYTES("[]") },
		{ BYTES("a\r"), BYTES("<a>") },
		{ BYTES("a\0b\nc"), BYTES("[a\0b]<c>") },
		{ BYTES("one\ntwo\r\n\nfour"), BYTES("[one][two][]<four>") },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		for (size_t piece = 1; piece <= 20; piece++) {
			struct base_text out = { 0 };

			split(&out, rows[i].stream, piece);
			check_bytes(rows[i].lines.data, out.data, out.size,
				    rows[i].lines.data, rows[i].lines.size);
			base_text_free(&out);
		}
	}
}

/* Adds a byte so many times. */
static void fill(struct base_text *out, char byte, size_t count)
{
	char *at = base_text_reserve(out, count);

	if (count)
		memset(at, byte, count);
	out->size += count;
}

static void add(struct base_text *out, const char *text)
{
	base_text_bytes(out, text, strlen(text));
}

/* Gets the one line of a stream, which ends with a line feed, in two pieces. */
static struct pipe_line take_line(struct pipe_liner *liner,
				  const struct base_text *stream, size_t first)
{
	struct base_slice bytes = { stream->data, first };
	struct pipe_line line;

	if (first)
		assert_int_equal(pipe_liner_next(liner, &bytes, &line), 0);
	assert_int_equal(bytes.size, 0);
	bytes = (struct base_slice){ stream->data + first,
				     stream->size - first };
	assert_int_equal(pipe_liner_next(liner, &bytes, &line), 1);
	assert_int_equal(bytes.size, 0);
	return line;
}

/* A string keeps so many bytes when the line is a long one; else all. */
static void long_lines_lose_the_ends_of_long_strings(void **state)
{
	static const size_t sizes[] = {
		PIPE_LINE_WHOLE - 1,
		PIPE_LINE_WHOLE,
		PIPE_LINE_WHOLE + 1,
		PIPE_LINE_WHOLE + 1000,
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		size_t string = sizes[i] - strlen("{\"a\":\"\",\"b\":1}");

		for (int round = 0; round < 2; round++) {
			bool is_long = sizes[i] > PIPE_LINE_WHOLE;
			struct pipe_liner liner = { 0 };
			struct base_text stream = { 0 };
			struct pipe_line line;

			pipe_liner_begin(&liner, 0);
			add(&stream, "{\"a\":\"");
			fill(&stream, 'x', string);
			add(&stream, "\",\"b\":1}\n");
			line = take_line(&liner, &stream, round ? 1000 : 0);
			assert_int_equal(line.cut, 0);
			assert_int_equal(line.nr_elisions, is_long);
			assert_int_equal(line.left_out,
					 is_long ? string - PIPE_LINE_STRING_MAX
						 : 0);
			assert_int_equal(line.text.size + line.left_out,
					 sizes[i]);
			check_bytes("what follows",
				    line.text.data + line.text.size - 7, 7,
				    ",\"b\":1}", 7);
			if (is_long) {
				assert_int_equal(line.elisions[0].string, 1);
				assert_int_equal(line.elisions[0].bytes,
						 line.left_out);
				assert_true(line.elisions[0].exact);
			}
			base_text_free(&stream);
			pipe_liner_free(&liner);
		}
	}
}

/* What is left out is counted as characters, not as they were written. */
static void escapes_that_are_left_out(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
		size_t escaped_bytes;
		bool exact;
	} rows[] = {
		{ "x", 1, 1, true },
		{ "\xc3\xa9", 2, 2, true },
		{ "\\n", 1, 2, true },
		{ "\\/", 1, 1, true },
		{ "\\u0041", 1, 1, true },
		{ "\\u000a", 1, 2, true },
		{ "\\u001f", 1, 6, true },
		{ "\\u0022", 1, 2, true },
		{ "\\u0000", 1, 6, false },
		{ "\\u00e9", 2, 2, true },
		{ "\\u07ff", 2, 2, true },
		{ "\\u0800", 3, 3, true },
		{ "\\ud83d\\ude00", 4, 4, true },
		{ "\\ud83d", 3, 6, false },
		{ "\\ude00", 3, 6, false },
		{ "\\ud83dx", 4, 7, false },
		{ "\\ud83d\\n", 4, 8, false },
		{ "\\ud83d\\ud83d\\ude00", 7, 10, false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pipe_liner liner = { 0 };
		struct base_text stream = { 0 };
		struct pipe_line line;

		pipe_liner_begin(&liner, 0);
		add(&stream, "{\"a\":\"");
		fill(&stream, 'x', PIPE_LINE_STRING_MAX);
		add(&stream, rows[i].text);
		add(&stream, "\",\"b\":\"");
		fill(&stream, 'y', PIPE_LINE_STRING_MAX);
		add(&stream, "\"}");
		fill(&stream, ' ', PIPE_LINE_WHOLE + 1 - stream.size);
		add(&stream, "\n");
		line = take_line(&liner, &stream, 0);
		check_number(rows[i].text, (int64_t)line.nr_elisions, 1);
		check_number(rows[i].text, (int64_t)line.left_out,
			     (int64_t)strlen(rows[i].text));
		check_number(rows[i].text, (int64_t)line.elisions[0].bytes,
			     (int64_t)rows[i].bytes);
		check_number(rows[i].text,
			     (int64_t)line.elisions[0].escaped_bytes,
			     (int64_t)rows[i].escaped_bytes);
		check_number(rows[i].text, line.elisions[0].exact,
			     rows[i].exact);
		base_text_free(&stream);
		pipe_liner_free(&liner);
	}
}

static void the_longest_lines_are_cut(void **state)
{
	static const size_t beyond[] = { 0, 1, 1000 };

	(void)state;
	for (size_t i = 0; i < LENGTH(beyond); i++) {
		struct pipe_liner liner = { 0 };
		struct base_text stream = { 0 };
		struct pipe_line line;

		pipe_liner_begin(&liner, 0);
		fill(&stream, '1', PIPE_LINE_MAX + beyond[i]);
		add(&stream, "\n");
		line = take_line(&liner, &stream, 1);
		assert_int_equal(line.text.size, PIPE_LINE_MAX);
		assert_int_equal(line.cut, beyond[i]);
		base_text_cut(&stream, 0);
		add(&stream, "next\n");
		line = take_line(&liner, &stream, 2);
		check_string("next", line.text.data, line.text.size, "next");
		assert_int_equal(line.cut, 0);
		base_text_free(&stream);
		pipe_liner_free(&liner);
	}
}

static void a_larger_limit_keeps_more(void **state)
{
	static const struct {
		size_t limit;
		size_t max_line;
		size_t max_string;
	} rows[] = {
		{ 0, PIPE_LINE_MAX, PIPE_LINE_STRING_MAX },
		{ PIPE_LINE_STRING_MAX / 6, PIPE_LINE_MAX,
		  PIPE_LINE_STRING_MAX },
		{ PIPE_LINE_STRING_MAX / 6 + 1, PIPE_LINE_MAX,
		  PIPE_LINE_STRING_MAX + 6 },
		{ PIPE_LINE_MAX / 8, PIPE_LINE_MAX, PIPE_LINE_MAX / 8 * 6 },
		{ PIPE_LINE_MAX / 8 + 1, PIPE_LINE_MAX + 8,
		  PIPE_LINE_MAX / 8 * 6 + 6 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct pipe_liner liner = { 0 };

		pipe_liner_begin(&liner, rows[i].limit);
		assert_int_equal(liner.max_line, rows[i].max_line);
		assert_int_equal(liner.max_string, rows[i].max_string);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_in_pieces_of_any_size),
		cmocka_unit_test(long_lines_lose_the_ends_of_long_strings),
		cmocka_unit_test(escapes_that_are_left_out),
		cmocka_unit_test(the_longest_lines_are_cut),
		cmocka_unit_test(a_larger_limit_keeps_more),
	};

	return cmocka_run_group_tests_name("pipe-line", tests, NULL, NULL);
}
