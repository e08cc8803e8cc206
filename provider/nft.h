/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints made at run time: LTTng-UST providers and events from plain
 * data, without LTTng's macros, code generation or a link-time dependency.
 *
 *	struct nft_provider *shop;
 *	struct nft_event *sale;
 *	const struct nft_field fields[] = {
 *		{ "item", NFT_STRING }, { "count", NFT_INT32 },
 *	};
 *	int ret = nft_provider_create("shop", &shop);
 *
 *	if (!ret)
 *		ret = nft_provider_add_event(shop, "sale", NFT_INFO, fields, 2,
 *					     &sale);
 *	if (!ret)
 *		ret = nft_provider_enable(shop);
 *	...
 *	if (nft_enabled(sale)) {
 *		const union nft_value values[] = {
 *			{ .s = { "pear", 4 } }, { .i = 3 },
 *		};
 *		nft_fire(sale, values);
 *	}
 *
 * The event can then be recorded: lttng enable-event -u shop:sale
 *
 * liblttng-ust.so.1 (LTTng-UST 2.13 or later) is looked up with dlopen() at
 * the first call; a program that uses this library links with libc alone and
 * runs where LTTng is absent.
 *
 * Every function may be called from any thread, but not from a signal handler.
 * In a child made by fork() without exec nothing is recorded any more, unless
 * liblttng-ust-fork.so is preloaded; see lttng-ust(3).
 */
#ifndef NFTRACE_PROVIDER_NFT_H
#define NFTRACE_PROVIDER_NFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LTTng-UST's log levels, most severe first; lttng-ust(3), "Log levels". */
enum nft_loglevel {
	NFT_EMERG = 0,
	NFT_ALERT = 1,
	NFT_CRIT = 2,
	NFT_ERR = 3,
	NFT_WARNING = 4,
	NFT_NOTICE = 5,
	NFT_INFO = 6,
	NFT_DEBUG_SYSTEM = 7,
	NFT_DEBUG_PROGRAM = 8,
	NFT_DEBUG_PROCESS = 9,
	NFT_DEBUG_MODULE = 10,
	NFT_DEBUG_UNIT = 11,
	NFT_DEBUG_FUNCTION = 12,
	NFT_DEBUG_LINE = 13,
	NFT_DEBUG = 14,
};

/* Field types, with the member of union nft_value that carries a value. */
enum nft_type {
	NFT_INT32,  /* .i, its low 32 bits */
	NFT_INT64,  /* .i */
	NFT_UINT64, /* .u */
	NFT_DOUBLE, /* .d */
	NFT_BOOL,   /* .u, recorded as an 8-bit integer: 0 or 1 */
	NFT_STRING, /* .s, a CTF string: ends at its first NUL */
	NFT_TEXT,   /* .s, a CTF text sequence: may hold NULs */
	NFT_NR_TYPES,
};

/* Most fields an event may have. */
#define NFT_MAX_FIELDS 64

struct nft_field {
	const char *name; /* weak: only read during nft_provider_add_event() */
	enum nft_type type;
};

/*
 * UTF-8 bytes. For NFT_STRING, data[size] must be readable and NUL: filters
 * read C strings. A NULL data is recorded as an empty string.
 */
struct nft_string {
	const char *data; /* weak: only read during nft_fire() */
	size_t size;	  /* bytes, without the NUL */
};

union nft_value {
	int64_t i;
	uint64_t u;
	double d;
	struct nft_string s;
};

struct nft_provider;

/*
 * An event. Valid for the life of the process: LTTng may hold on to the
 * descriptions behind it, so they are never freed, and equal events (same
 * provider, name, log level and fields) are one.
 */
struct nft_event {
	const int *state; /* use nft_enabled() */
};

/*
 * Why no event can be recorded in this process: NULL when liblttng-ust was
 * found, else a sentence that says what is missing (static storage). The first
 * call loads liblttng-ust, which connects to the session daemons; it waits for
 * a daemon that does not answer at most LTTNG_UST_REGISTER_TIMEOUT
 * milliseconds if that variable is set, else 500.
 */
const char *nft_unavailable(void);

/*
 * Makes a provider. @name: a C identifier. Returns 0 and *@provider (owned by
 * the caller, see nft_provider_destroy()), or -ENOTSUP when LTTng-UST is not
 * available, -EINVAL for a name that no LTTng tool would take, -ENOMEM.
 */
int nft_provider_create(const char *name, struct nft_provider **provider);

/*
 * Adds an event to a provider; it can be recorded after the next
 * nft_provider_enable().
 *
 * @name: a C identifier; "provider:name" takes at most 255 bytes.
 * @level: what lttng enable-event --loglevel compares with.
 * @fields: @nr_fields (0 to NFT_MAX_FIELDS) names and types, in the order of
 *	the values that nft_fire() takes. Names are letters, digits and
 *	underscores, begin with a letter, are unique and at most 200 bytes;
 *	beside an NFT_TEXT field "x" there must be no field "x_length". LTTng
 *	would accept more, but one such name makes the metadata of the whole
 *	trace unreadable, that of other programs included.
 *
 * Returns 0 and *@event, or -EINVAL, -ENOMEM.
 */
int nft_provider_add_event(struct nft_provider *provider, const char *name,
			   enum nft_loglevel level,
			   const struct nft_field *fields, size_t nr_fields,
			   struct nft_event **event);

/*
 * Registers the provider's events with LTTng-UST, from where session daemons
 * see them. Returns 0, or -EEXIST when this process has registered an event of
 * the same name with another log level or other fields (it would be recorded
 * under both), -ENOMEM when LTTng-UST refuses the registration, -ECHILD in a
 * child made by fork(). On error no event of the provider becomes enabled
 * that was not before. An event that is refused with -EEXIST is taken out of the
 * provider, which can then be enabled without it; firing it does nothing.
 */
int nft_provider_enable(struct nft_provider *provider);

/*
 * Firing the provider's events does nothing from here on, unless another
 * provider holds the same event enabled. They stay registered: LTTng's
 * per-process buffers refuse to register an event a second time.
 */
void nft_provider_disable(struct nft_provider *provider);

/* Disables and frees the provider. NULL is ignored. Its events stay valid. */
void nft_provider_destroy(struct nft_provider *provider);

/*
 * Whether some tracing session wants the event now: two plain loads. It is 1
 * between lttng start and stop for a tracked process, whatever a filter says.
 */
static inline int nft_enabled(const struct nft_event *event)
{
	const int *state = __atomic_load_n(&event->state, __ATOMIC_RELAXED);

	return __builtin_expect(__atomic_load_n(state, __ATOMIC_RELAXED), 0) !=
	       0;
}

/*
 * The address of the word that LTTng-UST's own threads set to 1 while a
 * session wants the event and else to 0. For whoever must poll it without a
 * call. Valid, and only to be read, for the life of the process.
 */
const int *nft_event_state(const struct nft_event *event);

/*
 * Records the event in every session that wants it; does nothing when none
 * does. @values: one for each field, in order. Never blocks, unless the
 * session's channel is a blocking one and LTTNG_UST_ALLOW_BLOCKING is set.
 * An event larger than a sub-buffer, or that finds no free one, is counted as
 * discarded by LTTng.
 */
void nft_fire(const struct nft_event *event, const union nft_value *values);

#ifdef __cplusplus
}
#endif

#endif /* NFTRACE_PROVIDER_NFT_H */
