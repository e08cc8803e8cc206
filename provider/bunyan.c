// SPDX-License-Identifier: MIT
/* The `bunyan` provider, made with the public functions; see nft_bunyan.h. */
#include "nft_bunyan.h"

#include <pthread.h>

/* nft_bunyan_level() computes an index from a number. */
#define IN_STEPS(UPPER, name, number, LOGLEVEL)                   \
	_Static_assert((number) == (NFT_BUNYAN_##UPPER + 1) *     \
					   NFT_BUNYAN_LEVEL_STEP, \
		       "the levels are not in equal steps");
NFT_BUNYAN_LEVELS(IN_STEPS)

#define LEVEL(UPPER, name, number, LOGLEVEL) { #name, NFT_##LOGLEVEL },
static const struct {
	const char *name;
	enum nft_loglevel level;
} levels[] = { NFT_BUNYAN_LEVELS(LEVEL) };

#define NUMBER_FIELD(UPPER, name, TYPE, ctype) { #name, NFT_##TYPE },
#define STRING_FIELD(UPPER, name)	       { #name, NFT_STRING },
static const struct nft_field fields[] = { NFT_BUNYAN_FIELDS(
	NUMBER_FIELD, STRING_FIELD, STRING_FIELD) };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct nft_provider *provider; /* owned, never closed */
static struct nft_bunyan opened;      /* written under once */
static int open_result;		      /* written under once */

static int open_provider(void)
{
	for (int i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		int ret = nft_provider_add_event(
			provider, levels[i].name, levels[i].level, fields,
			NFT_BUNYAN_NR_FIELDS, &opened.events[i]);

		if (ret)
			return ret;
	}
	return nft_provider_enable(provider);
}

static void open_once(void)
{
	open_result = nft_provider_create(NFT_BUNYAN_PROVIDER, &provider);
	if (open_result)
		return;
	open_result = open_provider();
	if (open_result)
		nft_provider_destroy(provider);
}

int nft_bunyan_open(const struct nft_bunyan **bunyan)
{
	(void)pthread_once(&once, open_once);
	if (!open_result)
		*bunyan = &opened;
	return open_result;
}

/*
 * Babeltrace 2.0.4 shows an earlier event's string in place of an empty one.
 */
static struct nft_string not_empty(struct nft_string string)
{
	static const struct nft_string space = { " ", 1 };

	return string.size && *string.data ? string : space;
}

#define NUMBER_VALUE(UPPER, name, TYPE, ctype) { .i = record->name },
#define STRING_VALUE(UPPER, name)	       { .s = not_empty(record->name) },
#define OBJECT_VALUE(UPPER, name)	       { .s = record->name },

void nft_bunyan_fire_as(const struct nft_bunyan *bunyan, int32_t level,
			const struct nft_bunyan_record *record)
{
	const union nft_value values[] = { NFT_BUNYAN_FIELDS(
		NUMBER_VALUE, STRING_VALUE, OBJECT_VALUE) };

	nft_fire(bunyan->events[nft_bunyan_level(level)], values);
}

void nft_bunyan_fire(const struct nft_bunyan *bunyan,
		     const struct nft_bunyan_record *record)
{
	nft_bunyan_fire_as(bunyan, record->level, record);
}
