// SPDX-License-Identifier: MIT
/* What killed `nftrace tail`s leave behind; see live/leftover.h. */
#include "live/leftover.h"

#include <stddef.h>

#include <lttng/lttng.h>

bool live_leftover_erase(const struct session_leftover *leftover)
{
	bool is_clean = true;

	if (leftover->folder.path)
		is_clean = base_temporary_erase(&leftover->folder) == 0;
	if (session_leftover_has_session(leftover, NULL) &&
	    lttng_destroy_session_no_wait(leftover->session) < 0)
		is_clean = false;
	return is_clean;
}

void live_leftover_clean(void)
{
	session_mark_each(LIVE_MARK, live_leftover_erase);
}
