// SPDX-License-Identifier: MIT
/* Options of `nftrace read` and `nftrace tail`; see cli/read_options.h. */
#include "cli/read_options.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

bool cli_read_options(const struct cli_read_options *options,
		      struct reader_record_options *record)
{
	record->filter = (struct base_filter)BASE_FILTER_ALL;
	record->filter.name = options->name;
	record->all = options->all;
	record->context = options->context;
	if (options->level &&
	    !base_filter_level(options->level, &record->filter.level)) {
		cli_error("--level %s: give trace, debug, info, warn, error, "
			  "fatal or a number",
			  options->level);
		return false;
	}
	return true;
}

void cli_read_options_free(struct cli_read_options *options)
{
	free(options->level);
	free(options->name);
}

bool cli_parse(poptContext context, const char *command, const char *help,
	       int *status)
{
	int option;

	while ((option = poptGetNextOpt(context)) > 0) {
		if (option != 'h')
			continue;
		*status = fputs(help, stdout) < 0 ? CLI_FAILED : CLI_OK;
		return false;
	}
	if (option == -1)
		return true;
	cli_error("%s: %s; see nftrace %s --help",
		  poptBadOption(context, POPT_BADOPTION_NOALIAS),
		  poptStrerror(option), command);
	*status = CLI_USAGE;
	return false;
}
