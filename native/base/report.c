// SPDX-License-Identifier: MIT
/* Passes messages on; see base/report.h. */
#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static base_report_fn *reporter;

void base_report_to(base_report_fn *report)
{
	reporter = report;
}

void base_report(const char *format, ...)
{
	va_list arguments;
	char *text;

	if (!reporter)
		return;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	reporter(text ? text : "out of memory");
	free(text);
}
