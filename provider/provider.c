// SPDX-License-Identifier: MIT
/* Providers: named groups of events that are enabled together; see nft.h. */
#include "nft.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "layout.h"
#include "process.h"

/* LTTNG_UST_ABI_SYM_NAME_LEN: "provider:event" with its NUL, bytes. */
#define FULL_NAME_SIZE 256

struct nft_provider {
	char *name;		    /* owned */
	struct nft__event **events; /* owned array of immortal events */
	size_t nr_events;
	size_t capacity;
	size_t nr_enabled; /* the first so many events are enabled */
};

int nft_provider_create(const char *name, struct nft_provider **provider)
{
	struct nft_provider *created;

	if (nft_unavailable())
		return -ENOTSUP;
	if (!nft__is_identifier(name) || strlen(name) >= FULL_NAME_SIZE - 2)
		return -EINVAL;
	created = calloc(1, sizeof(*created));
	if (!created)
		return -ENOMEM;
	created->name = strdup(name);
	if (!created->name) {
		free(created);
		return -ENOMEM;
	}
	*provider = created;
	return 0;
}

static int make_room(struct nft_provider *provider)
{
	size_t capacity = provider->capacity ? 2 * provider->capacity : 8;
	struct nft__event **events;

	if (provider->nr_events < provider->capacity)
		return 0;
	events = realloc(provider->events,
			 capacity * sizeof(struct nft__event *));
	if (!events)
		return -ENOMEM;
	provider->events = events;
	provider->capacity = capacity;
	return 0;
}

int nft_provider_add_event(struct nft_provider *provider, const char *name,
			   enum nft_loglevel level,
			   const struct nft_field *fields, size_t nr_fields,
			   struct nft_event **event)
{
	struct nft__event *added;
	int ret;

	if (!nft__is_identifier(name) ||
	    strlen(provider->name) + 1 + strlen(name) >= FULL_NAME_SIZE ||
	    (unsigned int)level > NFT_DEBUG || nr_fields > NFT_MAX_FIELDS ||
	    !nft__fields_are_sound(fields, nr_fields))
		return -EINVAL;
	ret = make_room(provider);
	if (ret)
		return ret;
	added = nft__event_intern(nft__process(), provider->name, name,
				  (int)level, fields, nr_fields);
	if (!added)
		return -ENOMEM;
	provider->events[provider->nr_events++] = added;
	*event = &added->handle;
	return 0;
}

static void disable_down_to(struct nft_provider *provider, size_t nr_enabled)
{
	while (provider->nr_enabled > nr_enabled)
		nft__event_disable(provider->events[--provider->nr_enabled]);
}

/* Takes an event that isn't enabled out of a provider. */
static void drop(struct nft_provider *provider, size_t index)
{
	provider->nr_events--;
	for (size_t i = index; i < provider->nr_events; i++)
		provider->events[i] = provider->events[i + 1];
}

int nft_provider_enable(struct nft_provider *provider)
{
	struct nft__process *process = nft__process();
	size_t before = provider->nr_enabled;
	int ret = 0;

	(void)pthread_mutex_lock(&process->lock);
	while (provider->nr_enabled < provider->nr_events) {
		ret = nft__event_enable(provider->events[provider->nr_enabled]);
		if (ret) {
			if (ret == -EEXIST)
				drop(provider, provider->nr_enabled);
			disable_down_to(provider, before);
			break;
		}
		provider->nr_enabled++;
	}
	(void)pthread_mutex_unlock(&process->lock);
	return ret;
}

void nft_provider_disable(struct nft_provider *provider)
{
	struct nft__process *process = nft__process();

	(void)pthread_mutex_lock(&process->lock);
	disable_down_to(provider, 0);
	(void)pthread_mutex_unlock(&process->lock);
}

void nft_provider_destroy(struct nft_provider *provider)
{
	if (!provider)
		return;
	nft_provider_disable(provider);
	free((void *)provider->events);
	free(provider->name);
	free(provider);
}

const int *nft_event_state(const struct nft_event *event)
{
	return &nft__event(event)->tracepoint.state;
}
