/* SPDX-License-Identifier: MIT */
/*
 * Cuts a record that is larger than an event may be, as lib/limit.js does it:
 * the largest strings first, the JSON stays valid, and the member
 * "nftrace_truncated" says what was done.
 */
#ifndef NFTRACE_NATIVE_PIPE_LIMIT_H
#define NFTRACE_NATIVE_PIPE_LIMIT_H

#include <nft_bunyan.h>

#include "pipe/parse.h"

/*
 * The smallest limit that any record can be cut to, the one that holds if none
 * is given, and the largest; those of lib/index.js. Bytes.
 */
#define CLI_MIN_LIMIT	  1024
#define CLI_DEFAULT_LIMIT 65536
#define CLI_MAX_LIMIT	  67108864

/* A record on its way into an event. */
struct cli_payload {
	struct cli_text name; /* these three decoded, each before a NUL */
	struct cli_text hostname;
	struct cli_text msg;
	struct cli_member *members; /* weak; of the parser's text, to be sorted
				       and overwritten */
	size_t nr_members;
	size_t bytes; /* what it takes uncut */
};

/* What cutting needs to keep; all zeros at first. */
struct cli_limiter {
	struct cli_buffer strings; /* the cut ones */
	struct cli_buffer sizes;   /* of a record's strings; size_t each */
};

/*
 * Cuts a payload to @limit bytes (at least CLI_MIN_LIMIT): adds its members
 * to @fields, without braces, and lets its strings point to cut ones, which are
 * the limiter's and stay until the next call.
 */
void cli_limit_cut(struct cli_limiter *limiter, struct cli_parser *parser,
		   struct cli_payload *payload, size_t limit,
		   struct cli_buffer *fields);

/* Frees what a limiter owns. */
void cli_limiter_free(struct cli_limiter *limiter);

#endif /* NFTRACE_NATIVE_PIPE_LIMIT_H */
