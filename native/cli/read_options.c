// SPDX-License-Identifier: MIT
/* Options of `nftrace read` and `nftrace tail`; see cli/read_options.h. */
#include "cli/read_options.h"

#include <stdlib.h>

#include "cli/options.h"

bool cli_read_options(const struct cli_read_options *options,
		      struct reader_record_options *record)
{
	record->filter = (struct base_filter)BASE_FILTER_ALL;
	record->filter.name = options->name;
	record->all = options->all;
	record->context = options->context;
	return cli_level_number(options->level, &record->filter.level);
}

void cli_read_options_free(struct cli_read_options *options)
{
	free(options->level);
	free(options->name);
}
