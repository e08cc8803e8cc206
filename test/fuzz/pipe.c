// SPDX-License-Identifier: MIT
/*
 * Fuzzes what nftrace pipe does with stdin: lines out of bytes, records out of
 * lines. Whatever comes in, an event has to fit its limit, hold UTF-8, and hold
 * a JSON object in fields.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "pipe/line.h"
#include "pipe/record.h"
#include "base/utf8_repair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_string(struct nft_string string)
{
	assert(!string.data[string.size]);
	assert(base_utf8_is_valid(
		(struct base_slice){ string.data, string.size }));
}

static void check_json(struct nft_string json)
{
	yajl_handle yajl = yajl_alloc(NULL, NULL, NULL);

	assert(json.data[0] == '{');
	assert(yajl_parse(yajl, (const unsigned char *)json.data, json.size) ==
	       yajl_status_ok);
	assert(yajl_complete_parse(yajl) == yajl_status_ok);
	yajl_free(yajl);
}

static void check_line(struct pipe_recorder *recorder,
		       const struct pipe_line *line)
{
	struct nft_bunyan_record record;

	assert(line->text.size <= PIPE_LINE_MAX);
	assert(!pipe_recorder_parse(recorder, line));
	if (!recorder->is_json)
		assert(recorder->parser.error[0]);
	assert(!pipe_recorder_build(recorder, &record));
	assert(nft_bunyan_level(record.level) == recorder->level);
	assert(NFT_BUNYAN_FIXED_BYTES + record.name.size +
		       record.hostname.size + record.msg.size +
		       record.fields.size <=
	       recorder->limit);
	check_string(record.name);
	check_string(record.hostname);
	check_string(record.msg);
	check_string(record.fields);
	check_json(record.fields);
}

/* The first byte chooses the size of the pieces that the rest comes in. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pipe_liner liner = { 0 };
	struct pipe_recorder recorder = { .limit = NFT_BUNYAN_LIMIT_LEAST };

	/* Keeps the small limits of this build. */
	pipe_liner_begin(&liner, 0);
	size_t piece_size = size && data[0] ? data[0] : SIZE_MAX;
	struct pipe_line line;

	for (size_t i = 1; i < size;) {
		size_t left = size - i;
		/* A copy, so that reading past its end is found. */
		size_t copy_size = left < piece_size ? left : piece_size;
		char *copy = malloc(copy_size);
		struct base_slice bytes = { copy, copy_size };

		assert(copy);
		memcpy(copy, data + i, copy_size);
		while (bytes.size)
			if (pipe_liner_next(&liner, &bytes, &line))
				check_line(&recorder, &line);
		free(copy);
		i += copy_size;
	}
	if (pipe_liner_last(&liner, &line))
		check_line(&recorder, &line);
	pipe_liner_free(&liner);
	pipe_recorder_free(&recorder);
	return 0;
}
