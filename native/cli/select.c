// SPDX-License-Identifier: MIT
/* Parses what to record; see cli/select.h. */
#include "cli/select.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "session/buffers.h"
#include "session/filter.h"

int cli_select_plan(struct cli_select *select, struct session_plan *plan)
{
	const char *unfit;
	size_t nr_names = 0;
	int ret;

	if (!cli_level_event(select->level, &plan->level))
		return CLI_USAGE;
	if (select->buffers &&
	    !session_buffers_parse(select->buffers, &plan->buffers)) {
		cli_error("--buffers: \"%s\" is not a size and a number, as "
			  "512k×4",
			  select->buffers);
		return CLI_USAGE;
	}

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
	free(select->level);
	free(select->expression);
	free(select->buffers);
	free(select->filter);
}
