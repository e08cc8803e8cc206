// SPDX-License-Identifier: MIT
/* Which records are wanted; see base/glob.h. */
#include "base/glob.h"

#include <errno.h>
#include <stdlib.h>

#include "base/level.h"

bool base_filter_glob(const char *glob, const char *text, size_t size)
{
	const char *end = text + size;
	const char *star = NULL;  /* what follows the last one that was met */
	const char *retry = NULL; /* where that may match next */

	while (text < end) {
		const char *wanted = glob;

		if (*glob == '*') {
			star = ++glob;
			retry = text;
			continue;
		}
		if (*wanted == '\\' && wanted[1])
			wanted++;
		if (*wanted && *wanted == *text) {
			glob = wanted + 1;
			text++;
			continue;
		}
		if (!star)
			return false;
		glob = star;
		text = ++retry;
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

bool base_filter_level(const char *text, int32_t *level)
{
	const struct base_level *named = base_level_named(text);
	char *end;
	long number;

	if (named) {
		*level = named->number;
		return true;
	}
	errno = 0;
	number = strtol(text, &end, 10);
	if (end == text || *end || errno || number < INT32_MIN ||
	    number > INT32_MAX)
		return false;
	*level = (int32_t)number;
	return true;
}
