// SPDX-License-Identifier: MIT
/* Chooses the folder of a trace; see control_place.h. */
#include "control_place.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/*
 * Whether a folder can take a trace: there is none, or it is empty. Returns 0,
 * or an error number: ENOTEMPTY, or why it can't be looked into.
 */
static int check_free(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool empty = true;

	if (!dir)
		return errno == ENOENT ? 0 : errno;
	while (empty && (entry = readdir(dir)))
		empty = !strcmp(entry->d_name, ".") ||
			!strcmp(entry->d_name, "..");
	(void)closedir(dir);
	return empty ? 0 : ENOTEMPTY;
}

int cli_place_choose(const char *output, const char *name,
		     char folder[static PATH_MAX])
{
	const char *home = getenv("LTTNG_HOME");
	char current[PATH_MAX];
	int size, error;

	if (!home || !*home)
		home = getenv("HOME");
	if (output && output[0] == '/') {
		size = snprintf(folder, PATH_MAX, "%s", output);
	} else if (output) {
		if (!getcwd(current, sizeof(current))) {
			cli_error("no current folder: %s", strerror(errno));
			return -1;
		}
		size = snprintf(folder, PATH_MAX, "%s/%s", current, output);
	} else if (home && *home) {
		size = snprintf(folder, PATH_MAX, "%s/lttng-traces/%s", home,
				name);
	} else {
		cli_error("there is no $HOME to write to; say where with "
			  "--output");
		return -1;
	}
	if (size < 0 || size >= PATH_MAX) {
		cli_error("the path of the trace is too long");
		return -1;
	}
	error = check_free(folder);
	if (!error)
		return 0;
	if (error != ENOTEMPTY) {
		cli_error("cannot write a trace to %s: %s", folder,
			  strerror(error));
		return -1;
	}
	cli_error("%s is not empty, and two traces in one cannot be "
		  "told apart; choose another --output",
		  folder);
	return -1;
}
