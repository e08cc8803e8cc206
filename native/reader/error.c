// SPDX-License-Identifier: MIT
/* libbabeltrace2's errors as lines on stderr; see reader_error.h. */
#include "reader_error.h"

#include <babeltrace2/babeltrace.h>

#include "cli.h"

void reader_error(const char *what)
{
	const bt_error *error = bt_current_thread_take_error();

	if (error && bt_error_get_cause_count(error))
		cli_error("%s: %s", what,
			  bt_error_cause_get_message(
				  bt_error_borrow_cause_by_index(error, 0)));
	else
		cli_error("%s", what);
	if (error)
		bt_error_release(error);
}
