// SPDX-License-Identifier: MIT
/*
 * libFuzzer's target for provider/nft.h: any names, layouts and values. Events
 * that are taken are fired, with no session daemon, at a recorder of our own that
 * knows exactly how many bytes were announced, aligned as they were announced.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lttng/ust-events.h>
#include <lttng/ust-ringbuffer-context.h>
#include <lttng/ust-tracer.h>

#include "../../provider/event.h"
#include "../../provider/layout.h"
#include "../../provider/nft.h"
#include "../../provider/probe.h"
#include "../../provider/process.h"

#define NAME_SIZE   320
#define MOST_FIELDS (NFT_MAX_FIELDS + 2)
#define LARGEST	    70000 /* bytes of a string */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                  \
	do {                                                                \
		if (!(condition)) {                                         \
			(void)fprintf(stderr, "%s:%d: not: %s\n", __FILE__, \
				      __LINE__, #condition);                \
			abort();                                            \
		}                                                           \
	} while (0)

struct input {
	const uint8_t *data;
	size_t size;
};

static uint8_t take_byte(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

static uint64_t take_number(struct input *input)
{
	uint64_t number = 0;

	for (size_t i = 0; i < sizeof(number); i++)
		number = number << 8 | take_byte(input);
	return number;
}

/* A name: bytes of the input, or a sound one, or a very long one. */
static void take_name(struct input *input, char name[static NAME_SIZE])
{
	uint8_t kind = take_byte(input);
	size_t length = take_byte(input);

	if (kind < 128) {
		(void)snprintf(name, NAME_SIZE, "n%u", kind % 8U);
	} else if (kind < 160) {
		length += 64;
		memset(name, 'n', length);
		name[length] = '\0';
	} else {
		for (size_t i = 0; i < length; i++)
			name[i] = (char)take_byte(input);
		name[length] = '\0';
		if (kind >= 250)
			(void)snprintf(name, NAME_SIZE, "n%u_length",
				       kind % 8U);
	}
}

/* What an event announced and what was written of it. */
static struct {
	char *bytes; /* owned; exactly as many as were announced */
	size_t size;
	size_t used;
	size_t nr_committed;
} reserved;

static int reserve(struct lttng_ust_ring_buffer_ctx *ctx)
{
	REQUIRE(!reserved.bytes);
	REQUIRE(ctx->largest_align >= 1 && ctx->largest_align <= 8);
	reserved.size = ctx->data_size;
	reserved.used = 0;
	reserved.bytes = malloc(ctx->data_size ? ctx->data_size : 1);
	REQUIRE(reserved.bytes);
	return 0;
}

static void write_bytes(struct lttng_ust_ring_buffer_ctx *ctx, const void *src,
			size_t len, size_t alignment)
{
	(void)ctx;
	REQUIRE(alignment == 1 && len <= reserved.size - reserved.used);
	memcpy(reserved.bytes + reserved.used, src, len);
	reserved.used += len;
}

static void commit(struct lttng_ust_ring_buffer_ctx *ctx)
{
	(void)ctx;
	REQUIRE(reserved.used == reserved.size);
	reserved.nr_committed++;
}

static const struct nft__event *filtered; /* weak: the event being fired */

/* Reads all that LTTng's filter interpreter may read. */
static int run_filter(const struct lttng_ust_event_common *common,
		      const char *stack, struct lttng_ust_probe_ctx *probe_ctx,
		      void *context)
{
	size_t sum = 0;

	(void)common;
	(void)probe_ctx;
	(void)context;
	for (size_t i = 0; i < filtered->nr_fields; i++) {
		enum nft_type type = filtered->types[i];
		unsigned long length = 0;
		const char *text;

		if (type == NFT_TEXT) {
			memcpy(&length, stack, sizeof(length));
			stack += sizeof(length);
		}
		memcpy(&text, stack, sizeof(text));
		stack += sizeof(text);
		if (type == NFT_STRING)
			sum += strlen(text);
		for (unsigned long at = 0; at < length; at++)
			sum += (unsigned char)text[at];
	}
	return sum == SIZE_MAX ? LTTNG_UST_EVENT_FILTER_REJECT
			       : LTTNG_UST_EVENT_FILTER_ACCEPT;
}

/* Values whose strings end, exactly, where ASan looks. */
static void take_values(struct input *input, const struct nft__event *event,
			union nft_value *values)
{
	for (size_t i = 0; i < event->nr_fields; i++) {
		size_t size;
		char *text;

		values[i].u = take_number(input);
		if (!nft__is_string(event->types[i]))
			continue;
		size = values[i].u % 5 ? values[i].u % 700
				       : values[i].u % LARGEST;
		if (values[i].u % 11 == 0) {
			values[i].s = (struct nft_string){ NULL, size };
			continue;
		}
		text = malloc(size + 1);
		REQUIRE(text);
		memset(text, take_byte(input), size);
		text[size] = '\0';
		values[i].s = (struct nft_string){ text, size };
	}
}

/* Fires an event as a session would have it, once with a filter, once without. */
static void fire(struct input *input, struct nft__event *event)
{
	static const int on = 1;
	struct lttng_ust_channel_buffer_ops ops = {
		.event_reserve = reserve,
		.event_write = write_bytes,
		.event_commit = commit,
	};
	struct lttng_ust_session session = { .active = 1 };
	struct lttng_ust_channel_common channel = { .enabled = 1,
						    .session = &session };
	struct lttng_ust_channel_buffer buffer = { .parent = &channel,
						   .ops = &ops };
	struct lttng_ust_event_recorder recorder = { .chan = &buffer };
	struct lttng_ust_event_common common = {
		.type = LTTNG_UST_EVENT_TYPE_RECORDER,
		.child = &recorder,
		.enabled = 1,
		.run_filter = run_filter,
	};
	struct lttng_ust_tracepoint_probe probes[] = {
		{ .func = (void (*)(void))nft__probe, .data = &common },
		{ .func = NULL },
	};
	union nft_value values[NFT_MAX_FIELDS];

	take_values(input, event, values);
	filtered = event;
	event->tracepoint.probes = probes;
	event->handle.state = &on;
	for (int filter = 0; filter < 2; filter++) {
		common.eval_filter = filter;
		reserved.nr_committed = 0;
		nft_fire(&event->handle, values);
		REQUIRE(reserved.nr_committed == 1);
		free(reserved.bytes);
		reserved.bytes = NULL;
	}
	event->handle.state = &event->process->off;
	event->tracepoint.probes = NULL;
	for (size_t i = 0; i < event->nr_fields; i++)
		if (nft__is_string(event->types[i]))
			free((void *)values[i].s.data);
}

/* Whether what was taken keeps every trace readable; see nft.h. */
static void require_sound(const char *name, const struct nft_field *fields,
			  size_t nr_fields)
{
	REQUIRE(nft__is_identifier(name) && nr_fields <= NFT_MAX_FIELDS);
	for (size_t i = 0; i < nr_fields; i++) {
		REQUIRE(nft__is_identifier(fields[i].name));
		REQUIRE(fields[i].name[0] != '_' &&
			strlen(fields[i].name) <= 200);
		for (size_t j = 0; j < i; j++)
			REQUIRE(strcmp(fields[i].name, fields[j].name));
	}
}

/* Events are immortal; none of these was registered, so they can go after all. */
static void forget_events(void)
{
	struct nft__process *process = nft__process();

	while (process->events) {
		struct nft__event *event = process->events;

		process->events = event->next;
		free(event);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	char names[MOST_FIELDS][NAME_SIZE];
	struct nft_field fields[MOST_FIELDS];
	char name[NAME_SIZE];
	struct nft_provider *provider = NULL;

	REQUIRE(!nft_unavailable());
	take_name(&input, name);
	if (nft_provider_create(name, &provider)) {
		REQUIRE(!provider);
		return 0;
	}
	REQUIRE(nft__is_identifier(name));
	for (int events = 0; events < 4 && input.size; events++) {
		size_t nr_fields = take_byte(&input) % (MOST_FIELDS + 1);
		struct nft_event *event = NULL, *again = NULL;
		uint8_t level = take_byte(&input);
		int ret;

		for (size_t i = 0; i < nr_fields; i++) {
			take_name(&input, names[i]);
			fields[i].name = names[i];
			fields[i].type = take_byte(&input) % (NFT_NR_TYPES + 1);
		}
		take_name(&input, name);
		ret = nft_provider_add_event(provider, name, level % 17, fields,
					     nr_fields, &event);
		REQUIRE(!ret == !!event);
		if (ret)
			continue;
		require_sound(name, fields, nr_fields);
		REQUIRE(!nft_provider_add_event(provider, name, level % 17,
						fields, nr_fields, &again));
		REQUIRE(again == event && !nft_enabled(event));
		fire(&input, nft__event(event));
	}
	nft_provider_destroy(provider);
	forget_events();
	return 0;
}
