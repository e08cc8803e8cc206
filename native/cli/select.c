// SPDX-License-Identifier: MIT
/* Parses what to record; see cli/select.h. */
#include "cli/select.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "session/buffers.h"
#include "session/filter.h"
#include "base/level.h"

int cli_select_take(poptContext context, int option, struct session_plan *plan)
{
	char *value;
	int ret = CLI_OK;

	if (option >= CLI_SELECT_END)
		return CLI_OK;
	value = poptGetOptArg(context);
	if (option == CLI_SELECT_LEVEL &&
	    !base_level_parse(value, &plan->level)) {
		cli_error("--level: there is no level \"%s\"; there are trace, "
			  "debug, info, warn, error and fatal",
			  value);
		ret = CLI_USAGE;
	}
	if (option == CLI_SELECT_BUFFERS &&
	    !session_buffers_parse(value, &plan->buffers)) {
		cli_error("--buffers: \"%s\" is not a size and a number, as "
			  "512k×4",
			  value);
		ret = CLI_USAGE;
	}
	free(value);
	return ret;
}

int cli_select_finish(struct cli_select *select, struct session_plan *plan)
{
	const char *unfit;
	size_t nr_names = 0;
	int ret;

	while (select->names && select->names[nr_names])
		nr_names++;
	ret = session_filter_build((const char *const *)select->names, nr_names,
				   select->expression, &select->filter, &unfit);
	plan->filter = select->filter;
	if (!ret)
		return CLI_OK;
	if (ret != -EINVAL) {
		cli_error("out of memory");
		return CLI_FAILED;
	}
	cli_error("--name: LTTng cannot filter by \"%s\", which has both kinds "
		  "of quotes or a line feed; put * in their place",
		  unfit);
	return CLI_USAGE;
}

void cli_select_free(struct cli_select *select)
{
	for (char **name = select->names; name && *name; name++)
		free(*name);
	free(select->names);
	free(select->expression);
	free(select->filter);
}

void cli_select_refuse(poptContext context, const char *command, int option)
{
	const char *what = option ? poptBadOption(context, 0)
				  : poptPeekArg(context);

	cli_error("%s: %s; see nftrace %s --help", what ? what : "",
		  option ? poptStrerror(option) : "not expected here", command);
}
