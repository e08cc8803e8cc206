/* SPDX-License-Identifier: MIT */
/* Field types: what LTTng is told of each, and which names are safe. */
#ifndef NFTRACE_PROVIDER_LAYOUT_H
#define NFTRACE_PROVIDER_LAYOUT_H

#include <stdbool.h>
#include <lttng/ust-events.h>

#include "nft.h"

/* Longest field name: with its type it has to fit LTTng's 256-byte names. */
#define NFT__FIELD_NAME_MAX 200

struct nft__type {
	char code;	 /* its letter in an event's signature */
	bool has_length; /* variable size, preceded by a length in memory */
	size_t size;	 /* bytes in the ring buffer, beside .s's own */
	size_t align;	 /* bytes; 1 where LTTng packs events */
	const struct lttng_ust_type_common *description;
};

/* Indexed by enum nft_type. */
extern const struct nft__type nft__types[NFT_NR_TYPES];

/* The length that goes before an NFT_TEXT field. */
extern const struct lttng_ust_type_common *const nft__length_description;

/* Whether a type's bytes are given by .s. */
static inline bool nft__is_string(enum nft_type type)
{
	return type == NFT_STRING || type == NFT_TEXT;
}

/* Whether @name is a C identifier; each LTTng tool takes those. */
bool nft__is_identifier(const char *name);

/* Whether an event of these fields leaves every trace readable; see nft.h. */
bool nft__fields_are_sound(const struct nft_field *fields, size_t nr_fields);

#endif /* NFTRACE_PROVIDER_LAYOUT_H */
