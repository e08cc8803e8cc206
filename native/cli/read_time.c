// SPDX-License-Identifier: MIT
/* Times as people give them; see cli/read_time.h. */
#include "cli/read_time.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS_PER_SECOND 1000
#define NS_PER_DAY    (24 * 3600 * 1e9)

/* Reads a fraction of a second, if one is there. Returns what follows. */
static const char *read_fraction(const char *text, int64_t *ms)
{
	int64_t unit = MS_PER_SECOND / 10;

	if (text[0] != '.' || !isdigit((unsigned char)text[1]))
		return text;
	for (text++; isdigit((unsigned char)*text); text++, unit /= 10)
		*ms += (*text - '0') * unit;
	return text;
}

/* Reads "hh:mm[:ss[.fraction]]". Returns what follows; NULL if it isn't that. */
static const char *read_clock(const char *text, struct tm *tm, int64_t *ms)
{
	const char *end = strptime(text, "%H:%M:%S", tm);

	if (end)
		return read_fraction(end, ms);
	return strptime(text, "%H:%M", tm);
}

/* The second of @tm in the zone that @zone ends the text with. */
static bool read_zone(const char *zone, struct tm *tm, int64_t *second)
{
	struct tm offset = { 0 };
	const char *end;

	if (!*zone) {
		tm->tm_isdst = -1;
		*second = mktime(tm);
		return true;
	}
	end = strptime(zone, "%z", &offset);
	if (!end || *end)
		return false;
	*second = timegm(tm) - offset.tm_gmtoff;
	return true;
}

bool cli_read_time(const char *text, int64_t *ms)
{
	struct tm tm = { 0 };
	int64_t fraction = 0;
	int64_t second = 0;
	const char *end;

	if (*text == '@') {
		end = strptime(text + 1, "%s", &tm);
		if (!end)
			return false;
		end = read_fraction(end, &fraction);
		second = mktime(&tm);
		*ms = second * MS_PER_SECOND + fraction;
		return !*end;
	}
	end = strptime(text, "%Y-%m-%d", &tm);
	if (end) {
		if (*end == 'T' || *end == ' ')
			end = read_clock(end + 1, &tm, &fraction);
	} else {
		time_t now = time(NULL);

		if (!localtime_r(&now, &tm))
			return false;
		tm.tm_sec = 0;
		end = read_clock(text, &tm, &fraction);
	}
	if (!end || !read_zone(end, &tm, &second))
		return false;
	*ms = second * MS_PER_SECOND + fraction;
	return true;
}

bool cli_read_duration(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "ns", 1 },   { "us", 1e3 }, { "\xc2\xb5s", 1e3 },
		{ "ms", 1e6 }, { "s", 1e9 },  { "m", 60e9 },
	};
	double number;
	char *end;

	if (!isdigit((unsigned char)*text) || text[1] == 'x' || text[1] == 'X')
		return false;
	number = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		number *= units[i].ns;
		if (number > NS_PER_DAY)
			return false;
		*ns = (int64_t)(number + 0.5);
		return true;
	}
	return false;
}
