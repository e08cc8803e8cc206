// SPDX-License-Identifier: MIT
/* Goes through command lines with popt; see cli/options.h. */
#include "cli/options.h"

#include <stdio.h>

#include "base/glob.h"
#include "base/level.h"
#include "cli/cli.h"

static void refuse(const struct cli_command *command, const char *what,
		   const char *why)
{
	cli_error("%s: %s; see nftrace %s --help", what ? what : "", why,
		  command->name);
}

poptContext cli_parse(const struct cli_command *command,
		      const struct poptOption *table, int argc, char **argv,
		      int *status)
{
	poptContext context = poptGetContext(
		NULL, argc, (const char **)argv, table,
		command->runs_another ? POPT_CONTEXT_POSIXMEHARDER : 0);
	int option;

	if (!context) {
		cli_error("out of memory");
		*status = CLI_FAILED;
		return NULL;
	}
	option = poptGetNextOpt(context);
	if (option == -1)
		return context;
	if (option == CLI_HELP_VALUE) {
		*status = fputs(command->help, stdout) < 0 ? CLI_FAILED
							   : CLI_OK;
	} else {
		refuse(command, poptBadOption(context, 0),
		       poptStrerror(option));
		*status = CLI_USAGE;
	}
	poptFreeContext(context);
	return NULL;
}

bool cli_has_more(poptContext context, const struct cli_command *command)
{
	const char *argument = poptPeekArg(context);

	if (argument)
		refuse(command, argument, "not expected here");
	return argument;
}

bool cli_level_number(const char *text, int32_t *level)
{
	if (!text || base_filter_level(text, level))
		return true;
	cli_error("--level %s: give trace, debug, info, warn, error, fatal or "
		  "a number",
		  text);
	return false;
}

bool cli_level_event(const char *text, enum lttng_loglevel *level)
{
	if (!text || base_level_parse(text, level))
		return true;
	cli_error("--level: there is no level \"%s\"; there are trace, debug, "
		  "info, warn, error and fatal",
		  text);
	return false;
}
