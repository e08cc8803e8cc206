// SPDX-License-Identifier: MIT
/*
 * Records out of lines when memory runs out: whichever allocation fails, the line
 * that needs it ends in -ENOMEM, and nothing is read that isn't there (ASan looks).
 */
#include "unit.h"

#include <errno.h>

#include "pipe/record.h"

/* The linker's --wrap: all that the archives allocate comes through these. */
void *__real_malloc(size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__real_reallocarray(void *pointer, size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *pointer, size_t size);
void *__wrap_reallocarray(void *pointer, size_t count, size_t size);

static size_t nr_left = SIZE_MAX; /* allocations until one fails */

static bool fails(void)
{
	return nr_left != SIZE_MAX && nr_left-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
	return fails() ? NULL : __real_realloc(pointer, size);
}

void *__wrap_reallocarray(void *pointer, size_t count, size_t size)
{
	return fails() ? NULL : __real_reallocarray(pointer, count, size);
}

/* Lines that need each of the texts and arrays, and yajl's memory from the heap. */
static void add_lines(struct base_text *lines)
{
	base_text_literal(lines,
			  "no JSON, nor \xff UTF-8\n{\"level\":30}\n"
			  "{\"half\":\"\\ud800\",\"b\":1,\"b\":2,\"0\":3}\n");
	base_text_literal(lines, "{\"number\":");
	for (int i = 0; i < 100; i++)
		base_text_char(lines, '7');
	base_text_literal(lines, ",\"level\":");
	for (int i = 0; i < 100; i++)
		base_text_char(lines, '7');
	base_text_literal(lines, "}\n{\"deep\":");
	for (int i = 0; i < 500; i++)
		base_text_literal(lines, "{\"1\":1,\"0\":");
	base_text_literal(lines, "0");
	for (int i = 0; i < 500; i++)
		base_text_char(lines, '}');
	base_text_literal(lines, ",\"long\":\"");
	for (int i = 0; i < 50000; i++)
		base_text_literal(lines, "\\n");
	base_text_literal(lines, "\",\"msg\":\"");
	for (int i = 0; i < 20000; i++)
		base_text_literal(lines, "\\\"");
	base_text_literal(lines, "\"}\n{\"msg\":\"");
	for (size_t i = 0; i <= PIPE_LINE_WHOLE; i++)
		base_text_char(lines, 'm');
	base_text_literal(lines, "\"}\n");
	for (int i = 0; i < 100; i++)
		base_text_literal(lines, "last ");
}

static int take_line(struct pipe_recorder *recorder,
		     const struct pipe_line *line)
{
	struct nft_bunyan_record record;
	int ret = pipe_recorder_parse(recorder, line);

	if (!ret)
		ret = pipe_recorder_build(recorder, &record);
	if (ret)
		return ret;
	assert_true(record.fields.data[0] == '{');
	assert_true(record.fields.size + record.msg.size <= recorder->limit);
	assert_int_equal(record.msg.data[record.msg.size], '\0');
	return 0;
}

/* Records all lines, up to the first error, which it returns. */
static int take_lines(struct base_slice lines, size_t *nr_lines)
{
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_DEFAULT };
	struct pipe_liner liner = { 0 };
	struct pipe_line line;
	int ret = 0;

	*nr_lines = 0;
	pipe_liner_begin(&liner, recorder.limit);
	while (ret >= 0 && lines.size) {
		struct base_slice piece = { lines.data, 60000 };

		if (piece.size > lines.size)
			piece.size = lines.size;
		lines.data += piece.size;
		lines.size -= piece.size;
		while (ret >= 0 && piece.size) {
			ret = pipe_liner_next(&liner, &piece, &line);
			if (ret == 1)
				ret = take_line(&recorder, &line);
			*nr_lines += ret == 0;
		}
	}
	if (!ret && pipe_liner_last(&liner, &line))
		ret = take_line(&recorder, &line);
	/* It stays so: nobody can go on by mistake. */
	if (ret == -ENOMEM && recorder.parser.text.failed)
		assert_int_equal(take_line(&recorder, &line), -ENOMEM);
	pipe_liner_free(&liner);
	pipe_recorder_free(&recorder);
	return ret;
}

static void each_allocation_fails(void **state)
{
	struct base_text lines = { 0 };
	size_t nr_failed = 0;
	size_t nr_lines;
	int ret;

	(void)state;
	add_lines(&lines);
	do {
		nr_left = nr_failed;
		ret = take_lines(base_text_slice(&lines), &nr_lines);
		if (ret)
			check_number("error", ret, -ENOMEM);
		nr_failed++;
	} while (ret);
	nr_left = SIZE_MAX;
	/* Fewer would mean that the lines don't need what they are for. */
	assert_true(nr_failed > 50);
	base_text_free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails),
	};

	return cmocka_run_group_tests_name("pipe-memory", tests, NULL, NULL);
}
