/* SPDX-License-Identifier: MIT */
/*
 * Expressions that choose records, close to LTTng's filters:
 *
 *	level >= 40 && (msg ~ "^took [0-9]{4}" || req.url == "/pay*")
 *
 * Operands are members of the record (a.b, a["b c"], a[0]), numbers, strings in
 * either kind of quotes, true, false and null. Operators are ==, !=, <, <=, >,
 * >= and ~ (a POSIX extended regular expression matches a part of a string),
 * then !, then &&, then ||. A string that == or != compares with is a pattern in
 * which * stands for anything and a backslash takes the next character as it is.
 * A comparison with a member that isn't there, or between types, is false, but
 * for !=. By itself, an operand is true unless absent, false, null, 0 or "".
 */
#ifndef NFTRACE_NATIVE_EXPRESSION_EXPRESSION_H
#define NFTRACE_NATIVE_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

struct expression;

/* What is wrong with an expression. */
struct expression_error {
	size_t column;	   /* of the first character that is wrong; from 1 */
	size_t offset;	   /* of it; bytes */
	char message[160]; /* without a full stop; as it stands in the text */
};

/*
 * Returns NULL, and in *@error why, if @text isn't one. The caller frees it with
 * expression_free().
 */
struct expression *expression_parse(const char *text,
				    struct expression_error *error);

/*
 * Sets *@is_chosen to whether the record in @line, a JSON object of @size bytes, is
 * chosen. Returns 0 or -ENOMEM.
 */
int expression_evaluate(struct expression *expression, const char *line,
			size_t size, bool *is_chosen);

/* @expression may be NULL. */
void expression_free(struct expression *expression);

#endif /* NFTRACE_NATIVE_EXPRESSION_EXPRESSION_H */
