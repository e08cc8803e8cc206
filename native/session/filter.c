// SPDX-License-Identifier: MIT
/* Quotes patterns for LTTng's filter language; see session/filter.h. */
#include "session/filter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A string in a filter is between " or between ', and neither kind may hold its
 * own quote; the only escapes are \* and \\. A raw line feed never matches.
 */
static char quote_for(const char *pattern)
{
	if (strchr(pattern, '\n'))
		return '\0';
	if (!strchr(pattern, '"'))
		return '"';
	return strchr(pattern, '\'') ? '\0' : '\'';
}

static void write_literal(FILE *out, char character)
{
	if (character == '*' || character == '\\')
		(void)fputc('\\', out);
	(void)fputc(character, out);
}

static void write_pattern(FILE *out, const char *pattern, char quote)
{
	(void)fprintf(out, "name == %c", quote);
	/* An empty name is recorded as a space; see nft_bunyan_fire(). */
	if (!*pattern)
		(void)fputc(' ', out);
	for (; *pattern; pattern++) {
		if (*pattern == '*') {
			(void)fputc('*', out);
			continue;
		}
		if (*pattern == '\\' && pattern[1])
			pattern++;
		write_literal(out, *pattern);
	}
	(void)fputc(quote, out);
}

int session_filter_build(const char *const *names, size_t nr_names,
			 const char *expression, char **filter,
			 const char **unfit)
{
	size_t size;
	FILE *out;

	*filter = NULL;
	for (size_t i = 0; i < nr_names; i++) {
		if (!quote_for(names[i])) {
			*unfit = names[i];
			return -EINVAL;
		}
	}
	if (!nr_names && !expression)
		return 0;
	out = open_memstream(filter, &size);
	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < nr_names; i++) {
		(void)fputs(i ? " || " : "(", out);
		write_pattern(out, names[i], quote_for(names[i]));
	}
	if (nr_names)
		(void)fputc(')', out);
	if (expression)
		(void)fprintf(out, "%s(%s)", nr_names ? " && " : "",
			      expression);
	if (fclose(out)) {
		free(*filter);
		*filter = NULL;
		return -ENOMEM;
	}
	return 0;
}
