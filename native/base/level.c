// SPDX-License-Identifier: MIT
/* The levels; see base/level.h. */
#include "base/level.h"

#include <string.h>
#include <strings.h>

/* liblttng-ctl and the provider must mean the same by a log level. */
#define SAME(UPPER, name, number, LOGLEVEL)                            \
	_Static_assert(                                                \
		(int)NFT_##LOGLEVEL == (int)LTTNG_LOGLEVEL_##LOGLEVEL, \
		"LTTng has another number for the log level of " #name);
NFT_BUNYAN_LEVELS(SAME)

#define LEVEL(UPPER, name, number, LOGLEVEL)                       \
	{ #name, BASE_LEVEL_EVENT_PREFIX #name, #number, (number), \
	  LTTNG_LOGLEVEL_##LOGLEVEL },

const struct base_level base_levels[] = { NFT_BUNYAN_LEVELS(LEVEL) };

const struct base_level *base_level_named(const char *name)
{
	for (size_t i = 0; i < NFT_BUNYAN_NR_LEVELS; i++)
		if (!strcasecmp(name, base_levels[i].name))
			return &base_levels[i];
	return NULL;
}

bool base_level_parse(const char *text, enum lttng_loglevel *level)
{
	const struct base_level *found = base_level_named(text);

	for (size_t i = 0; !found && i < NFT_BUNYAN_NR_LEVELS; i++)
		if (!strcmp(text, base_levels[i].text))
			found = &base_levels[i];
	if (found)
		*level = found->loglevel;
	return found;
}

enum lttng_loglevel base_level_of(int32_t level)
{
	return base_levels[nft_bunyan_level(level)].loglevel;
}

bool base_level_is_event(const char *name)
{
	return !strncmp(name, BASE_LEVEL_EVENT_PREFIX,
			sizeof(BASE_LEVEL_EVENT_PREFIX) - 1);
}
