// SPDX-License-Identifier: MIT
/*
 * emit: registers the bunyan provider, says "ready", waits for a line on stdin,
 * fires a set of records and ends. Built once over this library and once, with
 * -DTWIN, over LTTng's macros: both must look the same from outside.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "records.h"

#define LARGE 20000

int main(void)
{
	static char large[LARGE + 1];
	static const int32_t levels[] = {
		-2147483647 - 1, 10, 20, 29, 30, 40, 50, 60, 2147483647
	};
	const struct nft_string texts[] = {
		{ "plain", 5 },
		{ "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80 \x1b[31m\t\"\\", 19 },
		{ large, LARGE },
		{ "{\"a\":[1,2]}", 11 },
	};
	const size_t nr_texts = sizeof(texts) / sizeof(texts[0]);
	char line[8];

	memset(large, 'x', LARGE);
#ifndef TWIN
	const struct nft_bunyan *bunyan;

	CHECK(!nft_bunyan_open(&bunyan));
#define FIRE(record) nft_bunyan_fire(bunyan, record)
#else
#define FIRE(record) fire_twin(record)
#endif
	CHECK(puts("ready") >= 0 && !fflush(stdout));
	CHECK(fgets(line, sizeof(line), stdin));
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		for (size_t j = 0; j < nr_texts; j++) {
			const struct nft_bunyan_record record = {
				.level = levels[i],
				.time = INT64_MAX - (int64_t)j,
				.name = texts[j],
				.hostname = texts[(j + 1) % nr_texts],
				.pid = (int32_t)j - 1,
				.msg = texts[(j + 2) % nr_texts],
				.fields = texts[(j + 3) % nr_texts],
			};

			FIRE(&record);
		}
	}
	return 0;
}
