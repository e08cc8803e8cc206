// SPDX-License-Identifier: MIT
/* Times as Bunyan writes them; see base/time.h. */
#include "base/time.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_SECOND 1000000000

/* The quotient rounded down, for a positive @divisor. */
static int64_t floor_divide(int64_t value, int64_t divisor)
{
	return value / divisor - (value % divisor < 0);
}

/* What that leaves: 0 or more, and less than @divisor. */
static int64_t floor_remainder(int64_t value, int64_t divisor)
{
	int64_t remainder = value % divisor;

	return remainder < 0 ? remainder + divisor : remainder;
}

int64_t base_time_ms(int64_t ns)
{
	return floor_divide(ns, BASE_TIME_NS_PER_MS);
}

static void set_second(struct base_time *time, int64_t second)
{
	time_t seconds = second;
	struct tm tm;
	int64_t year;
	int size;

	time->size = 0;
	if (!gmtime_r(&seconds, &tm))
		return;
	year = tm.tm_year + INT64_C(1900);
	/* toISOString(): a sign and six digits outside of the years 0 to 9999. */
	if (year >= 0 && year <= 9999)
		size = snprintf(time->text, sizeof(time->text), "%04" PRId64,
				year);
	else
		size = snprintf(time->text, sizeof(time->text), "%c%06" PRId64,
				year < 0 ? '-' : '+', year < 0 ? -year : year);
	time->size = (size_t)size + strftime(time->text + size,
					     sizeof(time->text) - (size_t)size,
					     "-%m-%dT%H:%M:%S.", &tm);
	time->second = second;
}

/* Appends the time of @second and @fraction of it in @nr_digits digits. */
static void append(struct base_time *time, struct base_text *text,
		   int64_t second, int64_t fraction, size_t nr_digits)
{
	char *room;
	size_t size;

	if (!time->size || second != time->second)
		set_second(time, second);
	size = time->size;
	room = base_text_reserve(text, size + nr_digits + 3);
	if (!room)
		return;
	*room++ = '"';
	memcpy(room, time->text, size);
	room += size;
	for (size_t i = nr_digits; i-- > 0; fraction /= 10)
		room[i] = (char)('0' + fraction % 10);
	memcpy(room + nr_digits, "Z\"", 2);
	text->size += size + nr_digits + 3;
}

void base_time_append(struct base_time *time, struct base_text *text,
		      int64_t ms)
{
	int64_t second = floor_divide(ms, BASE_TIME_MS_PER_SECOND);

	if (ms > BASE_TIME_MAX_MS || ms < -BASE_TIME_MAX_MS)
		base_text_integer(text, ms);
	else
		append(time, text, second,
		       floor_remainder(ms, BASE_TIME_MS_PER_SECOND), 3);
}

void base_time_append_ns(struct base_time *time, struct base_text *text,
			 int64_t ns)
{
	int64_t second = floor_divide(ns, NS_PER_SECOND);

	append(time, text, second, floor_remainder(ns, NS_PER_SECOND), 9);
}
