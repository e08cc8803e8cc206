// SPDX-License-Identifier: MIT
/* libbabeltrace2's errors as lines on stderr; see reader/error.h. */
#include "reader/error.h"

#include <babeltrace2/babeltrace.h>

#include "base/report.h"

void reader_error(const char *what)
{
	const bt_error *error = bt_current_thread_take_error();

	if (error && bt_error_get_cause_count(error))
		base_report("%s: %s", what,
			    bt_error_cause_get_message(
				    bt_error_borrow_cause_by_index(error, 0)));
	else
		base_report("%s", what);
	if (error)
		bt_error_release(error);
}
