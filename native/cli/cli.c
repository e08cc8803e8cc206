// SPDX-License-Identifier: MIT
/* How the commands of nftrace speak; see cli/cli.h. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"

#define PREFIX	       "nftrace: "
#define CLEAR_LINE     "\r\033[K"
#define LONGEST_ESCAPE 16 /* bytes of an escape and its NUL */

static bool is_shown; /* by cli_show() */

/* Appends what stands for a character that has no place on a terminal. */
static void append_escape(struct base_text *line, uint32_t code)
{
	char escape[LONGEST_ESCAPE];

	if (code == '\n' || code == '\r' || code == '\t')
		(void)snprintf(escape, sizeof(escape), "\\%c",
			       code == '\n'   ? 'n'
			       : code == '\r' ? 'r'
					      : 't');
	else if (code < 0x80)
		(void)snprintf(escape, sizeof(escape), "\\x%02x", code);
	else if (code < 0x10000)
		(void)snprintf(escape, sizeof(escape), "\\u%04x", code);
	else
		(void)snprintf(escape, sizeof(escape), "\\u{%x}", code);
	base_text_append(line, escape);
}

/* Appends text with escapes in place of what isn't seen and what isn't UTF-8. */
static void append_visible(struct base_text *line, const char *text,
			   size_t size)
{
	const char *end = text + size;

	while (text < end) {
		size_t plain = base_utf8_plain(text, end);
		uint32_t code;

		base_text_bytes(line, text, plain);
		text += plain;
		if (text == end)
			break;
		size = base_utf8_unseen(text, end, &code);
		if (size) {
			append_escape(line, code);
			text += size;
		} else if (*text & 0x80) {
			char escape[LONGEST_ESCAPE];

			(void)snprintf(escape, sizeof(escape), "\\x%02x",
				       (unsigned char)*text++);
			base_text_append(line, escape);
		} else { /* a quote or a backslash */
			base_text_bytes(line, text++, 1);
		}
	}
}

/* Formats text and appends it; see cli_print(). */
static void append_format(struct base_text *line, const char *format,
			  va_list arguments)
{
	size_t length = strlen(format);
	bool is_end = length && format[length - 1] == '\n';
	char *text;
	int size = vasprintf(&text, format, arguments);

	if (size < 0) {
		base_text_literal(line, "out of memory");
	} else {
		append_visible(line, text, (size_t)size - is_end);
		free(text);
	}
	if (is_end)
		base_text_literal(line, "\n");
}

/* Writes a line at once, so that those of other processes don't get into it. */
static void put(FILE *file, struct base_text *line)
{
	if (line->failed)
		(void)fputs(PREFIX "out of memory\n", stderr);
	else
		(void)fwrite(line->data, 1, line->size, file);
	base_text_free(line);
}

void cli_print(FILE *file, const char *format, ...)
{
	struct base_text line = { 0 };
	va_list arguments;

	va_start(arguments, format);
	append_format(&line, format, arguments);
	va_end(arguments);
	put(file, &line);
}

void cli_error(const char *format, ...)
{
	struct base_text line = { 0 };
	va_list arguments;

	cli_hide();
	base_text_literal(&line, PREFIX);
	va_start(arguments, format);
	append_format(&line, format, arguments);
	va_end(arguments);
	base_text_literal(&line, "\n");
	put(stderr, &line);
}

int cli_give(const char *format, ...)
{
	va_list arguments;
	char *text;
	int size;

	va_start(arguments, format);
	size = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (size < 0)
		return -1;
	if (isatty(STDOUT_FILENO))
		cli_print(stdout, "%s\n", text);
	else
		(void)puts(text);
	free(text);
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

size_t cli_width(const char *text, size_t size)
{
	struct base_text line = { 0 };
	size_t width = 0;

	append_visible(&line, text, size);
	for (size_t i = 0; i < line.size; i++)
		width += (line.data[i] & 0xc0) != 0x80;
	base_text_free(&line);
	return width;
}

bool cli_can_show(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && *terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void cli_show(const char *format, ...)
{
	struct base_text line = { 0 };
	va_list arguments;

	if (!cli_can_show())
		return;
	is_shown = true;
	base_text_literal(&line, CLEAR_LINE PREFIX);
	va_start(arguments, format);
	append_format(&line, format, arguments);
	va_end(arguments);
	put(stderr, &line);
}

void cli_hide(void)
{
	if (is_shown)
		(void)fputs(CLEAR_LINE, stderr);
	is_shown = false;
}
