// SPDX-License-Identifier: MIT
/* Level names; see base/level.h. */
#include "base/level.h"

#include <string.h>
#include <strings.h>

/* The log levels of provider/nft_bunyan.h. */
static const struct {
	const char *name;
	const char *text;
	int32_t number; /* the least of those that are called so */
	enum lttng_loglevel level;
} levels[] = {
	{ "trace", "10", INT32_MIN, LTTNG_LOGLEVEL_DEBUG },
	{ "debug", "20", 20, LTTNG_LOGLEVEL_DEBUG_SYSTEM },
	{ "info", "30", 30, LTTNG_LOGLEVEL_INFO },
	{ "warn", "40", 40, LTTNG_LOGLEVEL_WARNING },
	{ "error", "50", 50, LTTNG_LOGLEVEL_ERR },
	{ "fatal", "60", 60, LTTNG_LOGLEVEL_CRIT },
};

#define NR_LEVELS (sizeof(levels) / sizeof(levels[0]))

bool base_level_parse(const char *text, enum lttng_loglevel *level)
{
	for (size_t i = 0; i < NR_LEVELS; i++) {
		if (!strcasecmp(text, levels[i].name) ||
		    !strcmp(text, levels[i].text)) {
			*level = levels[i].level;
			return true;
		}
	}
	return false;
}

enum lttng_loglevel base_level_of(int32_t level)
{
	size_t i = NR_LEVELS - 1;

	while (level < levels[i].number)
		i--;
	return levels[i].level;
}
