/* SPDX-License-Identifier: MIT */
/*
 * The order of a record's members, as white space in `fields` tells it; see
 * docs/events.md and lib/record/order.js.
 */
#ifndef NFTRACE_NATIVE_READER_ORDER_H
#define NFTRACE_NATIVE_READER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <nft_contract.h>

/*
 * The members that a record has outside of `fields`, and that win over it when they are
 * in it: the flat ones, as READER_JSON_HOSTNAME, and Bunyan's version of the record.
 */
#define READER_JSON_CORE(UPPER, ...) READER_JSON_##UPPER,
enum reader_json_core {
	NFT_BUNYAN_FLAT(READER_JSON_CORE, READER_JSON_CORE) READER_JSON_V,
	READER_JSON_NR_CORE,
};

/* Zeroed at first. */
struct reader_order {
	/* Core members that stand elsewhere, each once, in their order. */
	struct {
		size_t offset; /* given with the mark */
		enum reader_json_core core;
	} places[READER_JSON_NR_CORE];
	size_t nr_places;
	unsigned int moved; /* they, as bits by enum reader_json_core */
};

static inline bool reader_order_is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Notes the marks in the white space at @space, if there are any, with an offset. */
void reader_order_mark(struct reader_order *order, const char *space,
		       size_t offset);

/*
 * Ends an object: keeps those marks that the white space at @space, which is behind the
 * closing brace, has too. White space of another maker's has no such list.
 */
void reader_order_end(struct reader_order *order, const char *space);

#endif /* NFTRACE_NATIVE_READER_ORDER_H */
