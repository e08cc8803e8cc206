// SPDX-License-Identifier: MIT
/*
 * Puts one event into the ring buffer. What is done, and in which order, is
 * the ABI that LTTng's macros follow in lttng/ust-tracepoint-event.h.
 */
#include "probe.h"

#include <stdbool.h>
#include <string.h>
#include <lttng/ust-events.h>
#include <lttng/ust-ringbuffer-context.h>
#include <lttng/ust-tracer.h>

#include "event.h"
#include "layout.h"
#include "process.h"

/*
 * Small fields and short strings are gathered here and written with one call,
 * which is faster than a call each. Bytes.
 */
#define GATHER_SIZE 512

/*
 * The arguments as LTTng's filter and capture interpreter reads them: 8 bytes
 * for a number, a pointer for a string, a length and a pointer for a text.
 */
#define INTERPRETER_STACK_SIZE (2 * sizeof(uint64_t) * NFT_MAX_FIELDS)

static const char *bytes_of(const union nft_value *value)
{
	return value->s.data ? value->s.data : "";
}

/*
 * A NUL inside a CTF string would desynchronise the reader, so a string ends
 * at its first.
 */
static size_t size_of(const union nft_value *value, enum nft_type type)
{
	if (!value->s.data)
		return 0;
	return type == NFT_STRING ? strnlen(value->s.data, value->s.size)
				  : value->s.size;
}

static __attribute__((noinline)) void
write_interpreter_stack(char stack[static INTERPRETER_STACK_SIZE],
			const struct nft__event *event,
			const union nft_value *values)
{
	for (size_t i = 0; i < event->nr_fields; i++) {
		const union nft_value *value = &values[i];
		const char *bytes;
		unsigned long length;
		uint64_t number;

		if (nft__is_string(event->types[i])) {
			if (event->types[i] == NFT_TEXT) {
				length = size_of(value, NFT_TEXT);
				memcpy(stack, &length, sizeof(length));
				stack += sizeof(length);
			}
			bytes = bytes_of(value);
			memcpy(stack, &bytes, sizeof(bytes));
			stack += sizeof(bytes);
			continue;
		}
		number = value->u;
		if (event->types[i] == NFT_INT32)
			number = (uint64_t)(int64_t)(int32_t)value->i;
		else if (event->types[i] == NFT_BOOL)
			number = value->u != 0;
		memcpy(stack, &number, sizeof(number));
		stack += sizeof(number);
	}
}

/*
 * Bytes that the payload takes; @sizes gets those of each string or text,
 * without NUL.
 */
static size_t measure(const struct nft__event *event,
		      const union nft_value *values, size_t *sizes)
{
	size_t total = 0;

	for (size_t i = 0; i < event->nr_fields; i++) {
		enum nft_type type = event->types[i];

		total += lttng_ust_ring_buffer_align(total,
						     nft__types[type].align);
		total += nft__types[type].size;
		if (nft__is_string(type)) {
			sizes[i] = size_of(&values[i], type);
			total += sizes[i];
		}
	}
	return total;
}

/*
 * Writes an event's payload through a buffer on the stack; what is left in there
 * is the caller's to flush(). Kept apart from that buffer, so that its counters
 * can live in registers.
 */
struct writer {
	struct lttng_ust_ring_buffer_ctx *ctx;
	const struct lttng_ust_channel_buffer_ops *ops;
	char *buffer;	/* GATHER_SIZE bytes */
	size_t used;	/* bytes in buffer */
	size_t flushed; /* bytes of the payload already written */
	bool fits;	/* the whole payload fits the buffer */
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void flush(struct writer *writer)
{
	/* The payload's start is aligned for all of it; see event->align. */
	writer->ops->event_write(writer->ctx, writer->buffer, writer->used, 1);
	writer->flushed += writer->used;
	writer->used = 0;
}

ALWAYS_INLINE void put(struct writer *writer, const void *bytes, size_t size)
{
	if (!writer->fits && size > GATHER_SIZE - writer->used) {
		if (writer->used)
			flush(writer);
		if (size > GATHER_SIZE) {
			writer->ops->event_write(writer->ctx, bytes, size, 1);
			writer->flushed += size;
			return;
		}
	}
	memcpy(writer->buffer + writer->used, bytes, size);
	writer->used += size;
}

ALWAYS_INLINE void align(struct writer *writer, size_t alignment)
{
	static const char zeros[sizeof(uint64_t)];
	size_t padding = lttng_ust_ring_buffer_align(
		writer->flushed + writer->used, alignment);

	if (padding)
		put(writer, zeros, padding);
}

ALWAYS_INLINE void write_payload(struct writer *writer,
				 const struct nft__event *event,
				 const union nft_value *values,
				 const size_t *sizes)
{
	for (size_t i = 0; i < event->nr_fields; i++) {
		const union nft_value *value = &values[i];
		enum nft_type type = event->types[i];

		align(writer, nft__types[type].align);
		switch (type) {
		case NFT_STRING:
			put(writer, bytes_of(value), sizes[i]);
			put(writer, "", 1);
			break;
		case NFT_TEXT:
			put(writer, &(uint32_t){ (uint32_t)sizes[i] },
			    sizeof(uint32_t));
			put(writer, bytes_of(value), sizes[i]);
			break;
		case NFT_INT32:
			put(writer, &(int32_t){ (int32_t)value->i },
			    sizeof(int32_t));
			break;
		case NFT_BOOL:
			put(writer, &(uint8_t){ value->u != 0 },
			    sizeof(uint8_t));
			break;
		case NFT_INT64:
		case NFT_UINT64:
		case NFT_DOUBLE:
			put(writer, &value->u, sizeof(value->u));
			break;
		case NFT_NR_TYPES: /* no type; without a default a new one can't be missed */
			break;
		}
	}
}

static void record(const struct lttng_ust_event_recorder *recorder,
		   const struct nft__event *event,
		   const union nft_value *values,
		   struct lttng_ust_probe_ctx *probe_ctx)
{
	const struct lttng_ust_channel_buffer_ops *ops = recorder->chan->ops;
	size_t sizes[NFT_MAX_FIELDS];
	size_t total = measure(event, values, sizes);
	struct lttng_ust_ring_buffer_ctx ctx;
	char buffer[GATHER_SIZE];
	struct writer writer = { .ctx = &ctx, .ops = ops, .buffer = buffer };

	lttng_ust_ring_buffer_ctx_init(&ctx, (void *)recorder, total,
				       (int)event->align, probe_ctx);
	/*
	 * Two copies of the loop: most payloads fit and need no checks. They are
	 * gathered before their place is reserved: what is killed between
	 * event_reserve() and event_commit() leaves a hole that no reader can
	 * pass, so the less is done in between the better.
	 */
	if (total <= GATHER_SIZE) {
		writer.fits = true;
		write_payload(&writer, event, values, sizes);
		if (ops->event_reserve(&ctx) < 0)
			return; /* LTTng has counted it as discarded */
	} else {
		if (ops->event_reserve(&ctx) < 0)
			return;
		write_payload(&writer, event, values, sizes);
	}
	if (writer.used)
		flush(&writer);
	ops->event_commit(&ctx);
}

void nft__probe(void *data, const struct nft__event *event,
		const union nft_value *values, void *caller)
{
	const struct lttng_ust_event_common *common = data;
	const struct lttng_ust_event_recorder *recorder = NULL;
	const struct lttng_ust_event_notifier *notifier = NULL;
	const struct lttng_ust_channel_common *channel;
	struct lttng_ust_probe_ctx probe_ctx = {
		.struct_size = sizeof(probe_ctx),
		.ip = caller,
	};
	struct lttng_ust_notification_ctx notification_ctx = {
		.struct_size = sizeof(notification_ctx),
	};
	char stack[INTERPRETER_STACK_SIZE];
	bool prepared = false;

	switch (common->type) {
	case LTTNG_UST_EVENT_TYPE_RECORDER:
		recorder = common->child;
		channel = recorder->chan->parent;
		if (!CMM_ACCESS_ONCE(channel->session->active) ||
		    !CMM_ACCESS_ONCE(channel->enabled))
			return;
		break;
	case LTTNG_UST_EVENT_TYPE_NOTIFIER:
		notifier = common->child;
		break;
	default: /* of a later LTTng-UST; not ours to guess */
		return;
	}
	if (!CMM_ACCESS_ONCE(common->enabled))
		return;
	if (CMM_ACCESS_ONCE(common->eval_filter)) {
		write_interpreter_stack(stack, event, values);
		prepared = true;
		if (common->run_filter(common, stack, &probe_ctx, NULL) !=
		    LTTNG_UST_EVENT_FILTER_ACCEPT)
			return;
	}
	if (recorder) {
		record(recorder, event, values, &probe_ctx);
		return;
	}
	notification_ctx.eval_capture = CMM_ACCESS_ONCE(notifier->eval_capture);
	if (notification_ctx.eval_capture && !prepared)
		write_interpreter_stack(stack, event, values);
	notifier->notification_send(notifier, stack, &probe_ctx,
				    &notification_ctx);
}

void nft_fire(const struct nft_event *handle, const union nft_value *values)
{
	typedef void (*probe_function)(
		void *data, const struct nft__event *event,
		const union nft_value *values, void *caller);
	const struct nft__event *event = nft__event(handle);
	const struct lttng_ust_tracepoint_probe *probe;
	const struct nft__ust *ust;

	if (!nft_enabled(handle))
		return;
	ust = &event->process->ust;
	ust->rcu_read_lock();
	/* rcu_dereference(): acquire, and consistent until the unlock. */
	probe = __atomic_load_n(&event->tracepoint.probes, __ATOMIC_ACQUIRE);
	for (; probe && probe->func; probe++)
		((probe_function)probe->func)(probe->data, event, values,
					      __builtin_return_address(0));
	ust->rcu_read_unlock();
}
