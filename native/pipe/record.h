/* SPDX-License-Identifier: MIT */
/*
 * Lines as events, by the same rules as lib/record.js and lib/lines.js: the
 * same line gives the same event through the library's stream and through here.
 */
#ifndef NFTRACE_NATIVE_PIPE_RECORD_H
#define NFTRACE_NATIVE_PIPE_RECORD_H

#include <limits.h>
#include <nft_bunyan.h>

#include "pipe/limit.h"
#include "pipe/line.h"
#include "pipe/parse.h"

/* All zeros but limit at first; see cli_recorder_free(). */
struct cli_recorder {
	size_t limit; /* the most bytes of an event's payload */
	/* Of the line last taken: */
	enum nft_bunyan_level level;
	bool is_json;

	struct cli_line line; /* weak; valid while the line is */
	struct cli_text text; /* weak; the line as UTF-8 */
	struct cli_parser parser;
	struct cli_limiter limiter;
	struct cli_buffer repaired;
	struct cli_buffer halves;
	struct cli_buffer fields;
	struct cli_buffer members; /* struct cli_member each */
	char hostname[HOST_NAME_MAX + 1];
};

/*
 * Takes a line, which has to stay as it is until the next one. Afterwards
 * .level is the event's, and .is_json is whether the line was a JSON object;
 * if not, .parser has the error.
 */
void cli_recorder_take(struct cli_recorder *recorder,
		       const struct cli_line *line);

/*
 * Makes the record of the line last taken, once. Its strings are the
 * recorder's, until the next line.
 */
void cli_recorder_build(struct cli_recorder *recorder,
			struct nft_bunyan_record *record);

/* Frees what a recorder owns. */
void cli_recorder_free(struct cli_recorder *recorder);

#endif /* NFTRACE_NATIVE_PIPE_RECORD_H */
