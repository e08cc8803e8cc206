// SPDX-License-Identifier: MIT
/* Level names; see control_level.h. */
#include "control_level.h"

#include <string.h>
#include <strings.h>

/* The log levels of provider/nft_bunyan.h. */
static const struct {
	const char *name;
	const char *number;
	enum lttng_loglevel level;
} levels[] = {
	{ "trace", "10", LTTNG_LOGLEVEL_DEBUG },
	{ "debug", "20", LTTNG_LOGLEVEL_DEBUG_SYSTEM },
	{ "info", "30", LTTNG_LOGLEVEL_INFO },
	{ "warn", "40", LTTNG_LOGLEVEL_WARNING },
	{ "error", "50", LTTNG_LOGLEVEL_ERR },
	{ "fatal", "60", LTTNG_LOGLEVEL_CRIT },
};

bool cli_level_parse(const char *text, enum lttng_loglevel *level)
{
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (!strcasecmp(text, levels[i].name) ||
		    !strcmp(text, levels[i].number)) {
			*level = levels[i].level;
			return true;
		}
	}
	return false;
}
