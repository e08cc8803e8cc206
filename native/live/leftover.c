// SPDX-License-Identifier: MIT
/* What killed `nftrace tail`s leave behind; see live/leftover.h. */
#include "live/leftover.h"

#include <stddef.h>

#include <lttng/lttng.h>

bool cli_tail_leftover_erase(const struct cli_leftover *leftover)
{
	bool is_clean = true;

	if (leftover->folder.path)
		is_clean = reader_temporary_erase(&leftover->folder) == 0;
	if (cli_leftover_has_session(leftover, NULL) &&
	    lttng_destroy_session_no_wait(leftover->session) < 0)
		is_clean = false;
	return is_clean;
}

void cli_tail_leftover_clean(void)
{
	cli_mark_each(CLI_TAIL_MARK, cli_tail_leftover_erase);
}
