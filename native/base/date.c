// SPDX-License-Identifier: MIT
/* Reads times; see base/date.h. */
#include "base/date.h"

#include <string.h>
#include <time.h>

#define MS_PER_SECOND INT64_C(1000)
#define MS_PER_MINUTE (60 * MS_PER_SECOND)
#define MS_PER_HOUR   (60 * MS_PER_MINUTE)
#define MS_PER_DAY    (24 * MS_PER_HOUR)

/* What is left of a text that is being read. */
struct reader {
	const char *at;
	const char *end;
	bool no_such_day; /* as 30 February, which reads as March */
};

int64_t base_time_now(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * MS_PER_SECOND + now.tv_nsec / 1000000;
}

static bool read_character(struct reader *reader, char character)
{
	if (reader->at == reader->end || *reader->at != character)
		return false;
	reader->at++;
	return true;
}

/* Exactly @count digits. */
static bool read_digits(struct reader *reader, int count, int *number)
{
	*number = 0;
	for (; count; count--) {
		if (reader->at == reader->end || *reader->at < '0' ||
		    *reader->at > '9')
			return false;
		*number = *number * 10 + *reader->at++ - '0';
	}
	return true;
}

/* Digits of a second's fraction, any number of them; milliseconds. */
static bool read_fraction(struct reader *reader, int *ms)
{
	const char *begin = reader->at;
	int unit = 100;

	*ms = 0;
	while (reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9') {
		*ms += unit * (*reader->at++ - '0');
		unit /= 10;
	}
	return reader->at > begin;
}

static bool read_year(struct reader *reader, int *year)
{
	bool negative = read_character(reader, '-');

	if (!negative && !read_character(reader, '+'))
		return read_digits(reader, 4, year);
	if (!read_digits(reader, 6, year) || (negative && !*year))
		return false;
	if (negative)
		*year = -*year;
	return true;
}

static int days_in_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30,
				    31, 31, 30, 31, 30, 31 };
	bool leap = !(year % 4) && (year % 100 || !(year % 400));

	return month == 2 && leap ? 29 : days[month - 1];
}

/* Days since the epoch in the proleptic Gregorian calendar. */
static int64_t days_since_epoch(int64_t year, int month, int day)
{
	int64_t cycle, year_of_cycle, day_of_year;

	/* Years that begin in March have the leap day at their end. */
	year -= month <= 2;
	cycle = (year >= 0 ? year : year - 399) / 400;
	year_of_cycle = year - cycle * 400;
	day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return cycle * 146097 + year_of_cycle * 365 + year_of_cycle / 4 -
	       year_of_cycle / 100 + day_of_year - 719468;
}

/* The date's first millisecond, as if in UTC. */
static bool read_date(struct reader *reader, int64_t *ms)
{
	int year, month = 1, day = 1;

	if (!read_year(reader, &year))
		return false;
	if (read_character(reader, '-')) {
		if (!read_digits(reader, 2, &month) || month < 1 || month > 12)
			return false;
		if (read_character(reader, '-') &&
		    (!read_digits(reader, 2, &day) || day < 1 || day > 31))
			return false;
	}
	reader->no_such_day = day > days_in_month(year, month);
	*ms = days_since_epoch(year, month, day) * MS_PER_DAY;
	return true;
}

static bool read_time_of_day(struct reader *reader, int64_t *ms)
{
	int hour, minute, second = 0, fraction = 0;

	if (!read_digits(reader, 2, &hour) || !read_character(reader, ':') ||
	    !read_digits(reader, 2, &minute) || minute > 59)
		return false;
	if (read_character(reader, ':')) {
		if (!read_digits(reader, 2, &second) || second > 59)
			return false;
		if (read_character(reader, '.') &&
		    !read_fraction(reader, &fraction))
			return false;
	}
	*ms = hour * MS_PER_HOUR + minute * MS_PER_MINUTE +
	      second * MS_PER_SECOND + fraction;
	return hour < 24 || *ms == MS_PER_DAY;
}

/* Turns a local time, counted as if it were UTC, into UTC. */
static bool from_local(int64_t *ms)
{
	int64_t in_second =
		(*ms % MS_PER_SECOND + MS_PER_SECOND) % MS_PER_SECOND;
	time_t seconds = (*ms - in_second) / MS_PER_SECOND;
	struct tm local;

	if (!gmtime_r(&seconds, &local))
		return false;
	local.tm_isdst = -1;
	seconds = mktime(&local);
	*ms = seconds * MS_PER_SECOND + in_second;
	return true;
}

/* What follows a time of day: where on Earth it is meant. */
static bool read_zone(struct reader *reader, int64_t *ms)
{
	bool behind;
	int hours, minutes;
	int64_t offset;

	if (read_character(reader, 'Z'))
		return true;
	if (reader->at == reader->end)
		return from_local(ms);
	behind = read_character(reader, '-');
	if ((!behind && !read_character(reader, '+')) ||
	    !read_digits(reader, 2, &hours) || hours > 23 ||
	    !read_character(reader, ':') || !read_digits(reader, 2, &minutes) ||
	    minutes > 59)
		return false;
	offset = hours * MS_PER_HOUR + minutes * MS_PER_MINUTE;
	*ms += behind ? offset : -offset;
	return true;
}

/* Whether a valid time has each part that toISOString() writes, and no other. */
static bool is_exact(struct base_slice text, int64_t ms)
{
	static const int64_t year_0 = INT64_C(-62167219200000);
	static const int64_t year_10000 = INT64_C(253402300800000);
	bool long_year = *text.data == '+' || *text.data == '-';
	const char *time = text.data + text.size - 14; /* THH:mm:ss.sssZ */

	return text.size == (long_year ? 27 : 24) && time[0] == 'T' &&
	       memcmp(time + 1, "24", 2) != 0 && time[9] == '.' &&
	       time[13] == 'Z' &&
	       long_year == (ms < year_0 || ms >= year_10000);
}

bool base_time_parse(struct base_slice text, int64_t *ms, bool *exact)
{
	struct reader reader = { text.data, text.data + text.size, false };
	int64_t of_day;

	if (!read_date(&reader, ms))
		return false;
	if (read_character(&reader, 'T')) {
		if (!read_time_of_day(&reader, &of_day))
			return false;
		*ms += of_day;
		if (!read_zone(&reader, ms))
			return false;
	}
	if (reader.at != reader.end || *ms > BASE_TIME_MAX ||
	    *ms < -BASE_TIME_MAX)
		return false;
	*exact = !reader.no_such_day && is_exact(text, *ms);
	return true;
}
