/* SPDX-License-Identifier: MIT */
/* LTTng filter expressions that choose records by the logger's name. */
#ifndef NFTRACE_NATIVE_SESSION_FILTER_H
#define NFTRACE_NATIVE_SESSION_FILTER_H

#include <stddef.h>

/*
 * Builds the filter expression that accepts records whose name matches one of
 * some patterns and that an expression accepts.
 *
 * @names: @nr_names patterns; in one, * stands for any text and a backslash
 *	takes the next character for itself. None: any name.
 * @expression: an LTTng filter expression, or NULL.
 *
 * Returns 0 and *@filter, to be freed by the caller, NULL when everything is
 * accepted. Returns -EINVAL and *@unfit, the first pattern that LTTng's filters
 * cannot express (both kinds of quotes, or a line feed), or -ENOMEM.
 */
int session_filter_build(const char *const *names, size_t nr_names,
			 const char *expression, char **filter,
			 const char **unfit);

#endif /* NFTRACE_NATIVE_SESSION_FILTER_H */
