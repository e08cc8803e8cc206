/* SPDX-License-Identifier: MIT */
/*
 * Cuts a record that is larger than an event may be, as lib/record/limit.js does it:
 * the largest strings first, the JSON stays valid, and the member
 * NFT_BUNYAN_TRUNCATED says what was done.
 * test/cli-pipe-same.test.js compares the two: change both.
 */
#ifndef NFTRACE_NATIVE_PIPE_LIMIT_H
#define NFTRACE_NATIVE_PIPE_LIMIT_H

#include <nft_bunyan.h>

#include "pipe/parse.h"

#define PIPE_PAYLOAD_STRING(UPPER, name) struct base_slice name;

/* A record on its way into an event. */
struct pipe_payload {
	/* The strings by their names, decoded, each before a NUL. */
	NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE, PIPE_PAYLOAD_STRING)
	struct pipe_member *members; /* weak; of the parser's text, to be sorted
				       and overwritten */
	size_t nr_members;
	size_t bytes; /* what it takes uncut */
};

/* What cutting needs to keep; all zeros at first. */
struct pipe_limiter {
	struct base_text strings; /* the cut ones */
	struct base_text sizes;	  /* of a record's strings; size_t each */
};

/*
 * Cuts a payload to @limit bytes (at least NFT_BUNYAN_LIMIT_LEAST): adds its members
 * to @fields, without braces, and lets its strings point to cut ones, which are
 * the limiter's and stay until the next call. Returns 0 or -ENOMEM, the latter not
 * for @fields, which says so itself.
 */
int pipe_limit_cut(struct pipe_limiter *limiter, struct pipe_parser *parser,
		   struct pipe_payload *payload, size_t limit,
		   struct base_text *fields);

/* Frees what a limiter owns. */
void pipe_limiter_free(struct pipe_limiter *limiter);

#endif /* NFTRACE_NATIVE_PIPE_LIMIT_H */
