// SPDX-License-Identifier: MIT
/* Gathers lines; see pipe/line.h. */
#include "pipe/line.h"

#include <errno.h>

#include "base/utf8_repair.h"

#define UNICODE_ESCAPE_SIZE 6 /* \uXXXX */

#define LINE_PER_LIMIT	 8
#define STRING_PER_LIMIT 6

static size_t greater(size_t one, size_t other)
{
	return one > other ? one : other;
}

void pipe_liner_begin(struct pipe_liner *liner, size_t limit)
{
	liner->max_line = greater(PIPE_LINE_MAX, LINE_PER_LIMIT * limit);
	liner->max_string =
		greater(PIPE_LINE_STRING_MAX, STRING_PER_LIMIT * limit);
}

static void append_byte(struct pipe_liner *liner, char byte)
{
	if (liner->bytes.size < liner->max_line)
		base_text_char(&liner->bytes, byte);
	else
		liner->cut++;
}

/* Counts what a decoded character takes, if it was left out. */
static void count(struct pipe_liner *liner, size_t bytes, size_t escaped_bytes,
		  bool exact)
{
	struct pipe_elision *elision;

	if (!liner->is_eliding)
		return;
	elision = &liner->elisions[liner->nr_elisions - 1];
	elision->bytes += bytes;
	elision->escaped_bytes += escaped_bytes;
	elision->exact = elision->exact && exact;
}

/* Half a pair is alone unless the other half follows at once. */
static void end_half(struct pipe_liner *liner)
{
	if (liner->high)
		count(liner, 3, UNICODE_ESCAPE_SIZE, false);
	liner->high = 0;
}

/* A \u escape is complete. */
static void count_unit(struct pipe_liner *liner, unsigned int unit)
{
	if (liner->high && (unit & 0xfc00) == 0xdc00) {
		liner->high = 0;
		count(liner, 4, 4, true);
		return;
	}
	end_half(liner);
	if ((unit & 0xfc00) == 0xd800)
		liner->high = unit;
	else if ((unit & 0xfc00) == 0xdc00)
		count(liner, 3, UNICODE_ESCAPE_SIZE, false);
	else if (unit >= 0x800)
		count(liner, 3, 3, true);
	else if (unit >= 0x80)
		count(liner, 2, 2, true);
	else if (unit == '"' || unit == '\\' ||
		 (unit && memchr("\b\t\n\f\r", (int)unit, 5)))
		count(liner, 1, 2, true);
	else
		count(liner, 1, unit < 0x20 ? UNICODE_ESCAPE_SIZE : 1, unit);
}

static void scan_escape(struct pipe_liner *liner, char byte)
{
	int digit;

	liner->escape_size++;
	if (liner->escape_size == 2) {
		liner->unit = 0;
		if (byte == 'u')
			return;
		end_half(liner);
		count(liner, 1, byte == '/' ? 1 : 2, true);
		liner->escape_size = 0;
		return;
	}
	digit = base_hex_digit(byte);
	liner->unit = liner->unit * 16 + (unsigned int)(digit & 15);
	if (digit < 0) { /* no JSON, then */
		liner->escape_size = 0;
	} else if (liner->escape_size == UNICODE_ESCAPE_SIZE) {
		liner->escape_size = 0;
		count_unit(liner, liner->unit);
	}
}

/* Whether what begins with a byte of a string is to be left out. */
static bool begins_elision(const struct pipe_liner *liner, char byte)
{
	return !liner->is_eliding && !liner->escape_size && !liner->high &&
	       liner->string_size >= liner->max_string && byte != '"' &&
	       (byte & 0xc0) != 0x80 &&
	       liner->nr_elisions < PIPE_LINE_MAX_ELISIONS;
}

static void scan_in_string(struct pipe_liner *liner, char byte)
{
	if (begins_elision(liner, byte)) {
		liner->is_eliding = true;
		liner->elisions[liner->nr_elisions++] = (struct pipe_elision){
			.string = liner->nr_strings - 1,
			.exact = true,
		};
	}
	if (liner->escape_size) {
		scan_escape(liner, byte);
	} else if (byte == '\\') {
		liner->escape_size = 1;
	} else {
		end_half(liner);
		if (byte == '"') {
			liner->in_string = false;
			liner->is_eliding = false;
		} else {
			count(liner, 1, 1, true);
		}
	}
	liner->string_size++;
	if (liner->is_eliding)
		liner->left_out++;
	else
		append_byte(liner, byte);
}

static void scan(struct pipe_liner *liner, struct base_slice bytes)
{
	for (size_t i = 0; i < bytes.size; i++) {
		if (liner->in_string) {
			scan_in_string(liner, bytes.data[i]);
			continue;
		}
		if (bytes.data[i] == '"') {
			liner->in_string = true;
			liner->string_size = 0;
			liner->nr_strings++;
		}
		append_byte(liner, bytes.data[i]);
	}
}

/* From here on the line is looked into, and so is what there is of it. */
static void begin_scan(struct pipe_liner *liner)
{
	struct base_text bytes = liner->bytes;

	liner->bytes = (struct base_text){ 0 };
	liner->is_long = true;
	liner->in_string = false;
	liner->escape_size = 0;
	liner->high = 0;
	liner->nr_strings = 0;
	liner->is_eliding = false;
	scan(liner, (struct base_slice){ bytes.data, bytes.size });
	liner->bytes.failed |= bytes.failed;
	base_text_free(&bytes);
}

static void append_part(struct pipe_liner *liner, struct base_slice bytes)
{
	if (!liner->is_long &&
	    bytes.size <= PIPE_LINE_WHOLE - liner->bytes.size) {
		base_text_bytes(&liner->bytes, bytes.data, bytes.size);
		return;
	}
	if (!liner->is_long)
		begin_scan(liner);
	scan(liner, bytes);
}

static void finish(struct pipe_liner *liner, struct base_slice text,
		   struct pipe_line *line)
{
	if (!liner->cut && text.size && text.data[text.size - 1] == '\r')
		text.size--;
	*line = (struct pipe_line){
		.text = text,
		.cut = liner->cut,
		.left_out = liner->left_out,
		.elisions = liner->elisions,
		.nr_elisions = liner->nr_elisions,
	};
	base_text_cut(&liner->bytes, 0);
	liner->is_long = false;
	liner->cut = 0;
	liner->left_out = 0;
	liner->nr_elisions = 0;
}

int pipe_liner_next(struct pipe_liner *liner, struct base_slice *bytes,
		    struct pipe_line *line)
{
	const char *end = memchr(bytes->data, '\n', bytes->size);
	struct base_slice part = { bytes->data, bytes->size };
	bool is_whole = !liner->bytes.size && !liner->is_long;

	if (end)
		part.size = (size_t)(end - bytes->data);
	bytes->data += part.size + (end != NULL);
	bytes->size -= part.size + (end != NULL);
	if (end && is_whole && part.size <= PIPE_LINE_WHOLE) {
		finish(liner, part, line);
		return 1;
	}
	append_part(liner, part);
	if (liner->bytes.failed)
		return -ENOMEM;
	if (!end)
		return 0;
	finish(liner, base_text_slice(&liner->bytes), line);
	return 1;
}

bool pipe_liner_last(struct pipe_liner *liner, struct pipe_line *line)
{
	struct base_slice text = base_text_slice(&liner->bytes);

	if (!text.size)
		return false;
	finish(liner, text, line);
	return true;
}

void pipe_liner_free(struct pipe_liner *liner)
{
	base_text_free(&liner->bytes);
}
