// SPDX-License-Identifier: MIT
/* Numbers; see base/number.h. */
#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Any decimal of so many digits is the shortest for its double (DBL_DIG) ... */
#define SURE_DIGITS 15
/* ... if it is a normal one. */
#define SURE_EXPONENT 290
#define MOST_DIGITS   DBL_DECIMAL_DIG

/* Long enough for what a double can tell apart; longer numbers are copied. */
#define SHORT_NUMBER 64

/* ±0.digits × 10^point */
struct decimal {
	bool negative;
	char digits[MOST_DIGITS + 1];
	int nr_digits; /* without zeros at either end; 0: zero */
	int point;
};

/* Whether a JSON number is an integer that is written as it stands, and exact. */
static bool is_plain(struct base_slice number)
{
	if (number.size > SURE_DIGITS || *number.data == '-')
		return false;
	for (size_t i = 0; i < number.size; i++)
		if (number.data[i] < '0' || number.data[i] > '9')
			return false;
	return true;
}

int base_number_read(struct base_slice number, double *value)
{
	char small[SHORT_NUMBER];
	char *copy = small;

	if (is_plain(number)) {
		*value = 0;
		for (size_t i = 0; i < number.size; i++)
			*value = *value * 10 + (number.data[i] - '0');
		return 0;
	}
	if (number.size >= sizeof(small))
		copy = malloc(number.size + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, number.data, number.size);
	copy[number.size] = '\0';
	*value = strtod(copy, NULL);
	if (copy != small)
		free(copy);
	return 0;
}

/* Reads a JSON number of few digits; false: it has too many. */
static bool read_decimal(struct decimal *decimal, struct base_slice number)
{
	const char *at = number.data;
	const char *end = at + number.size;
	bool negative_exponent = false;
	bool fraction = false;
	int exponent = 0;

	*decimal = (struct decimal){ .negative = *at == '-' };
	for (at += decimal->negative; at < end && (*at | 0x20) != 'e'; at++) {
		if (*at == '.') {
			fraction = true;
			continue;
		}
		if (*at == '0' && !decimal->nr_digits) {
			decimal->point -= fraction;
			continue;
		}
		if (decimal->nr_digits == SURE_DIGITS)
			return false;
		decimal->digits[decimal->nr_digits++] = *at;
		decimal->point += !fraction;
	}
	if (at < end) {
		at++;
		negative_exponent = *at == '-';
		if (*at == '-' || *at == '+')
			at++;
	}
	for (; at < end; at++) {
		if (exponent > SURE_EXPONENT)
			return false;
		exponent = exponent * 10 + *at - '0';
	}
	decimal->point += negative_exponent ? -exponent : exponent;
	if (abs(decimal->point) > SURE_EXPONENT)
		return false;
	while (decimal->nr_digits &&
	       decimal->digits[decimal->nr_digits - 1] == '0')
		decimal->nr_digits--;
	return true;
}

int base_number_precision(double value, bool is_single, int least)
{
	int most = is_single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
	char text[MOST_DIGITS + 16];

	for (; least < most; least++) {
		(void)snprintf(text, sizeof(text), "%.*e", least - 1, value);
		if ((is_single ? (double)strtof(text, NULL)
			       : strtod(text, NULL)) == value)
			break;
	}
	return least;
}

/* The shortest digits that give @value, which is finite. */
static void find_digits(struct decimal *decimal, double value)
{
	char text[MOST_DIGITS + 16];
	int precision;
	const char *from;

	*decimal = (struct decimal){ .negative = signbit(value) };
	if (value == 0)
		return;
	value = fabs(value);
	/* If so many are enough, the zeros at their end aren't needed. */
	precision = base_number_precision(value, false,
					  value < DBL_MIN ? 1 : DBL_DIG);
	(void)snprintf(text, sizeof(text), "%.*e", precision - 1, value);
	for (from = text; *from != 'e'; from++)
		if (*from != '.')
			decimal->digits[decimal->nr_digits++] = *from;
	decimal->point = (int)strtol(from + 1, NULL, 10) + 1;
	while (decimal->digits[decimal->nr_digits - 1] == '0')
		decimal->nr_digits--;
}

static void add_zeros(struct base_text *out, int count)
{
	for (int i = 0; i < count; i++)
		base_text_char(out, '0');
}

/* ECMAScript's Number::toString() */
static void write_decimal(struct base_text *out, const struct decimal *decimal)
{
	const char *digits = decimal->digits;
	int nr_digits = decimal->nr_digits;
	int point = decimal->point;
	char exponent[8];

	if (!nr_digits) {
		base_text_char(out, '0');
		return;
	}
	if (decimal->negative)
		base_text_char(out, '-');
	if (point > 21 || point <= -6) {
		base_text_bytes(out, digits, 1);
		if (nr_digits > 1) {
			base_text_char(out, '.');
			base_text_bytes(out, digits + 1, (size_t)nr_digits - 1);
		}
		base_text_bytes(out, exponent,
				(size_t)snprintf(exponent, sizeof(exponent),
						 "e%+d", point - 1));
	} else if (point <= 0) {
		base_text_bytes(out, "0.", 2);
		add_zeros(out, -point);
		base_text_bytes(out, digits, (size_t)nr_digits);
	} else if (point >= nr_digits) {
		base_text_bytes(out, digits, (size_t)nr_digits);
		add_zeros(out, point - nr_digits);
	} else {
		base_text_bytes(out, digits, (size_t)point);
		base_text_char(out, '.');
		base_text_bytes(out, digits + point,
				(size_t)(nr_digits - point));
	}
}

void base_number_write(struct base_text *out, struct base_slice number)
{
	struct decimal decimal;

	if (is_plain(number)) {
		base_text_bytes(out, number.data, number.size);
		return;
	}
	if (!read_decimal(&decimal, number)) {
		double value;

		if (base_number_read(number, &value)) {
			base_text_fail(out);
			return;
		}
		if (!isfinite(value)) {
			base_text_bytes(out, "null", 4);
			return;
		}
		find_digits(&decimal, value);
	}
	write_decimal(out, &decimal);
}
