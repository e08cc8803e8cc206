// SPDX-License-Identifier: MIT
/*
 * libFuzzer: an expression on the first line and a record on the rest. Whatever
 * they are, parsing and evaluating come to an end within bounds; an error is
 * within the text; and what is negated is the opposite.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_ok)
{
	if (!is_ok)
		abort();
}

static bool evaluate(const char *text, const char *line, size_t size)
{
	struct expression_error error;
	struct expression *expression = expression_parse(text, &error);
	bool is_chosen = false;

	check(expression != NULL);
	/* Twice: nothing is left of the line before. */
	check(!expression_evaluate(expression, line, size, &is_chosen));
	check(!expression_evaluate(expression, line, size, &is_chosen));
	expression_free(expression);
	return is_chosen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct expression_error error;
	struct expression *expression;
	const uint8_t *line = memchr(data, '\n', size);
	size_t length = line ? (size_t)(line - data) : size;
	char *text = strndup((const char *)data, length);
	char *negated;

	check(text != NULL);
	/* glibc's regcomp() takes unbounded memory for nested repetitions. */
	if (strpbrk(text, "{*+?") && strchr(text, '~')) {
		free(text);
		return -1;
	}
	size = line ? size - length - 1 : 0;
	line = line ? line + 1 : data;
	expression = expression_parse(text, &error);
	if (expression) {
		expression_free(expression);
		check(asprintf(&negated, "!(%s)", text) >= 0);
		expression = expression_parse(negated, &error);
		if (expression) /* else it is nested too deep */
			check(evaluate(text, (const char *)line, size) !=
			      evaluate(negated, (const char *)line, size));
		expression_free(expression);
		free(negated);
	} else {
		check(error.column >= 1 && error.column <= strlen(text) + 1);
		check(error.message[0] != '\0');
	}
	free(text);
	return 0;
}
