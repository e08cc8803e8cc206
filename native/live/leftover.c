// SPDX-License-Identifier: MIT
/* What killed `nftrace tail`s leave behind; see live/leftover.h. */
#include "live/leftover.h"

#include <errno.h>
#include <stddef.h>

#include <lttng/lttng.h>

int live_leftover_erase(const struct session_leftover *leftover)
{
	int ret = 0;

	if (leftover->folder.path)
		ret = base_temporary_erase(&leftover->folder);
	if (session_leftover_has_session(leftover, NULL) &&
	    lttng_destroy_session_no_wait(leftover->session) < 0)
		ret = -EIO;
	return ret;
}

void live_leftover_clean(void)
{
	session_mark_each(LIVE_MARK, live_leftover_erase);
}
