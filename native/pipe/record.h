/* SPDX-License-Identifier: MIT */
/*
 * Lines as events, by the same rules as lib/record/split.js and lib/record/lines.js: the
 * same line gives the same event through the library's stream and through here.
 * test/cli-pipe-same.test.js compares them: change both.
 */
#ifndef NFTRACE_NATIVE_PIPE_RECORD_H
#define NFTRACE_NATIVE_PIPE_RECORD_H

#include <limits.h>
#include <nft_bunyan.h>

#include "pipe/limit.h"
#include "pipe/line.h"
#include "pipe/order.h"
#include "pipe/parse.h"

/* All zeros but limit at first; see pipe_recorder_free(). */
struct pipe_recorder {
	size_t limit; /* the most bytes of an event's payload */
	/* Of the line last parsed: */
	enum nft_bunyan_level level;
	bool is_json;

	struct pipe_line line;	/* weak; valid while the line is */
	struct base_slice text; /* weak; the line as UTF-8 */
	struct pipe_parser parser;
	struct pipe_limiter limiter;
	struct pipe_order order;
	struct base_text repaired;
	struct base_text halves;
	struct base_text fields;
	struct base_text members; /* struct pipe_member each */
	char hostname[HOST_NAME_MAX + 1];
};

/*
 * Parses a line, which has to stay as it is until the next one. Afterwards
 * .level is the event's, and .is_json is whether the line was a JSON object;
 * if not, .parser has the error. Returns 0 or -ENOMEM.
 */
int pipe_recorder_parse(struct pipe_recorder *recorder,
			const struct pipe_line *line);

/*
 * Makes the record of the line last parsed, once. Its strings are the
 * recorder's, until the next line. Returns 0 or -ENOMEM.
 */
int pipe_recorder_build(struct pipe_recorder *recorder,
			struct nft_bunyan_record *record);

/* Frees what a recorder owns. */
void pipe_recorder_free(struct pipe_recorder *recorder);

#endif /* NFTRACE_NATIVE_PIPE_RECORD_H */
