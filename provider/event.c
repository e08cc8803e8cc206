// SPDX-License-Identifier: MIT
/* Makes and registers events; see event.h. */
#include "event.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "probe.h"
#include "process.h"

/*
 * The provider ABI of LTTng-UST 2.13, which every later library takes too
 * (lttng/ust-events.h: "Older tracepoint providers can always register to
 * newer lttng-ust library"). Never LTTNG_UST_PROVIDER_MAJOR, which is that of
 * the headers at hand: 2.13 refuses a newer one.
 */
#define PROVIDER_MAJOR 3
#define PROVIDER_MINOR 0

/* " c:" and the name, for each field. */
#define SIGNATURE_SIZE                   \
	(sizeof(NFT__SIGNATURE_PREFIX) + \
	 (size_t)NFT_MAX_FIELDS * (3 + NFT__FIELD_NAME_MAX))

/*
 * Hands out pieces of one allocation. With no base it only adds up sizes, so
 * that the same code first measures and then builds.
 */
struct arena {
	char *base; /* weak */
	size_t used;
};

static void *carve(struct arena *arena, size_t size)
{
	size_t offset = arena->used;

	arena->used += (size + _Alignof(max_align_t) - 1) &
		       ~(_Alignof(max_align_t) - 1);
	return arena->base ? arena->base + offset : NULL;
}

/* Copies @prefix, @string and @suffix, joined. */
static char *carve_string(struct arena *arena, const char *prefix,
			  const char *string, const char *suffix)
{
	size_t size = strlen(prefix) + strlen(string) + strlen(suffix) + 1;
	char *copy = carve(arena, size);

	if (copy)
		(void)snprintf(copy, size, "%s%s%s", prefix, string, suffix);
	return copy;
}

/*
 * The signature names the layout: LTTng-UST connects a probe only to a
 * tracepoint of the same signature.
 */
static void write_signature(char signature[static SIGNATURE_SIZE],
			    const struct nft_field *fields, size_t nr_fields)
{
	size_t used = sizeof(NFT__SIGNATURE_PREFIX) - 1;

	memcpy(signature, NFT__SIGNATURE_PREFIX, sizeof(NFT__SIGNATURE_PREFIX));
	for (size_t i = 0; i < nr_fields; i++)
		used += (size_t)snprintf(
			signature + used, SIGNATURE_SIZE - used, " %c:%s",
			nft__types[fields[i].type].code, fields[i].name);
}

/* Describes the fields to LTTng; returns how many descriptions there are. */
static size_t build_fields(struct arena *arena, const struct nft_field *fields,
			   size_t nr_fields,
			   const struct lttng_ust_event_field ***list)
{
	struct lttng_ust_event_field *field;
	size_t count = 0;

	*list = carve(arena,
		      2 * nr_fields * sizeof(struct lttng_ust_event_field *));
	field = carve(arena, 2 * nr_fields * sizeof(*field));
	for (size_t i = 0; i < nr_fields; i++) {
		const struct nft__type *type = &nft__types[fields[i].type];
		char *name = carve_string(arena, "", fields[i].name, "");
		char *length_name = NULL;

		if (type->has_length)
			length_name = carve_string(arena, "_", fields[i].name,
						   "_length");
		if (!arena->base)
			continue;
		if (type->has_length) {
			field[count] = (struct lttng_ust_event_field){
				.struct_size = sizeof(*field),
				.name = length_name,
				.type = nft__length_description,
				.nofilter = 1,
			};
			(*list)[count] = &field[count];
			count++;
		}
		field[count] = (struct lttng_ust_event_field){
			.struct_size = sizeof(*field),
			.name = name,
			.type = type->description,
		};
		(*list)[count] = &field[count];
		count++;
	}
	return count;
}

static struct nft__event *build(struct arena *arena, const char *provider,
				const char *name, int loglevel,
				const struct nft_field *fields,
				size_t nr_fields, const char *signature)
{
	struct nft__event *event = carve(arena, sizeof(*event));
	enum nft_type *types = carve(arena, nr_fields * sizeof(*types));
	char *own_provider = carve_string(arena, "", provider, "");
	char *own_name = carve_string(arena, "", name, "");
	char *own_signature = carve_string(arena, "", signature, "");
	const struct lttng_ust_event_field **list;
	size_t nr_descriptions = build_fields(arena, fields, nr_fields, &list);

	if (!arena->base)
		return NULL;
	event->types = types;
	event->nr_fields = nr_fields;
	event->align = 1;
	for (size_t i = 0; i < nr_fields; i++) {
		const struct nft__type *type = &nft__types[fields[i].type];

		types[i] = fields[i].type;
		if (type->align > event->align)
			event->align = type->align;
	}
	event->probe = (struct lttng_ust_probe_desc){
		.struct_size = sizeof(event->probe),
		.provider_name = own_provider,
		.event_desc = event->descriptions,
		.nr_events = 1,
		.major = PROVIDER_MAJOR,
		.minor = PROVIDER_MINOR,
	};
	event->class = (struct lttng_ust_tracepoint_class){
		.struct_size = sizeof(event->class),
		.fields = list,
		.nr_fields = nr_descriptions,
		.probe_callback = (void (*)(void))nft__probe,
		.signature = own_signature,
		.probe_desc = &event->probe,
	};
	event->loglevel = loglevel;
	event->loglevel_address = &event->loglevel;
	event->description = (struct lttng_ust_event_desc){
		.struct_size = sizeof(event->description),
		.event_name = own_name,
		.probe_desc = &event->probe,
		.tp_class = &event->class,
		.loglevel = &event->loglevel_address,
	};
	event->descriptions[0] = &event->description;
	event->tracepoint = (struct lttng_ust_tracepoint){
		.struct_size = sizeof(event->tracepoint),
		.provider_name = own_provider,
		.event_name = own_name,
		.signature = own_signature,
	};
	event->tracepoints[0] = &event->tracepoint;
	return event;
}

static bool same_name(const struct nft__event *event, const char *provider,
		      const char *name)
{
	return !strcmp(event->tracepoint.provider_name, provider) &&
	       !strcmp(event->tracepoint.event_name, name);
}

struct nft__event *nft__event_intern(struct nft__process *process,
				     const char *provider, const char *name,
				     int loglevel,
				     const struct nft_field *fields,
				     size_t nr_fields)
{
	struct nft__event *event;
	struct arena arena = { 0 };
	char signature[SIGNATURE_SIZE];

	write_signature(signature, fields, nr_fields);
	(void)pthread_mutex_lock(&process->lock);
	for (event = process->events; event; event = event->next)
		if (same_name(event, provider, name) &&
		    event->loglevel == loglevel &&
		    !strcmp(event->tracepoint.signature, signature))
			goto end;
	(void)build(&arena, provider, name, loglevel, fields, nr_fields,
		    signature);
	arena.base = calloc(1, arena.used);
	if (!arena.base)
		goto end;
	arena.used = 0;
	event = build(&arena, provider, name, loglevel, fields, nr_fields,
		      signature);
	event->process = process;
	event->handle.state = &process->off;
	event->next = process->events;
	__atomic_store_n(&process->events, event, __ATOMIC_RELEASE);
end:
	(void)pthread_mutex_unlock(&process->lock);
	return event;
}

static int register_event(struct nft__event *event)
{
	const struct nft__process *process = event->process;
	const struct nft__event *other;

	if (process->forked)
		return -ECHILD;
	for (other = process->events; other; other = other->next)
		if (other->registered && other != event &&
		    same_name(other, event->tracepoint.provider_name,
			      event->tracepoint.event_name))
			return -EEXIST;
	if (process->ust.module_register(event->tracepoints, 1))
		return -ENOMEM;
	event->registered = process->ust.probe_register(&event->probe);
	if (!event->registered) {
		(void)process->ust.module_unregister(event->tracepoints);
		return -ENOMEM;
	}
	return 0;
}

int nft__event_enable(struct nft__event *event)
{
	int ret = event->registered ? 0 : register_event(event);

	if (ret)
		return ret;
	if (!event->nr_enabled++)
		__atomic_store_n(&event->handle.state, &event->tracepoint.state,
				 __ATOMIC_RELEASE);
	return 0;
}

void nft__event_disable(struct nft__event *event)
{
	if (!--event->nr_enabled)
		__atomic_store_n(&event->handle.state, &event->process->off,
				 __ATOMIC_RELEASE);
}
