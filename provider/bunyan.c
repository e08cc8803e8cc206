// SPDX-License-Identifier: MIT
/* The `bunyan` provider, made with the public functions; see nft_bunyan.h. */
#include "nft_bunyan.h"

#include <pthread.h>

static const struct {
	const char *name;
	enum nft_loglevel level;
} levels[NFT_BUNYAN_NR_LEVELS] = {
	[NFT_BUNYAN_TRACE] = { "trace", NFT_DEBUG },
	[NFT_BUNYAN_DEBUG] = { "debug", NFT_DEBUG_SYSTEM },
	[NFT_BUNYAN_INFO] = { "info", NFT_INFO },
	[NFT_BUNYAN_WARN] = { "warn", NFT_WARNING },
	[NFT_BUNYAN_ERROR] = { "error", NFT_ERR },
	[NFT_BUNYAN_FATAL] = { "fatal", NFT_CRIT },
};

/* The order of struct nft_bunyan_record. */
static const struct nft_field fields[] = {
	{ "level", NFT_INT32 },	  { "time", NFT_INT64 },
	{ "name", NFT_STRING },	  { "hostname", NFT_STRING },
	{ "pid", NFT_INT32 },	  { "msg", NFT_STRING },
	{ "fields", NFT_STRING },
};

#define NR_FIELDS (sizeof(fields) / sizeof(fields[0]))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct nft_provider *provider; /* owned, never closed */
static struct nft_bunyan opened;      /* written under once */
static int open_result;		      /* written under once */

static int open_provider(void)
{
	for (int i = 0; i < NFT_BUNYAN_NR_LEVELS; i++) {
		int ret = nft_provider_add_event(provider, levels[i].name,
						 levels[i].level, fields,
						 NR_FIELDS, &opened.events[i]);

		if (ret)
			return ret;
	}
	return nft_provider_enable(provider);
}

static void open_once(void)
{
	open_result = nft_provider_create("bunyan", &provider);
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

void nft_bunyan_fire(const struct nft_bunyan *bunyan,
		     const struct nft_bunyan_record *record)
{
	const union nft_value values[NR_FIELDS] = {
		{ .i = record->level },
		{ .i = record->time },
		{ .s = not_empty(record->name) },
		{ .s = not_empty(record->hostname) },
		{ .i = record->pid },
		{ .s = not_empty(record->msg) },
		{ .s = record->fields },
	};

	nft_fire(bunyan->events[nft_bunyan_level(record->level)], values);
}
