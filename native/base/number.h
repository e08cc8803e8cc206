/* SPDX-License-Identifier: MIT */
/* JSON's numbers as JavaScript reads and writes them, and floating point. */
#ifndef NFTRACE_NATIVE_BASE_NUMBER_H
#define NFTRACE_NATIVE_BASE_NUMBER_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Sets *@value to the double that a JSON number reads as; infinite if it is too
 * large. Returns 0 or -ENOMEM.
 */
int base_number_read(struct base_slice number, double *value);

/*
 * Adds a JSON number to @out as JSON.stringify() writes what JSON.parse() makes
 * of it: the shortest digits that give the same double; "null" if too large.
 */
void base_number_write(struct base_text *out, struct base_slice number);

/*
 * How many significant digits, at least @least, it takes for a decimal that reads
 * back as @value, which is finite; with @is_single as the float that it is.
 */
int base_number_precision(double value, bool is_single, int least);

#endif /* NFTRACE_NATIVE_BASE_NUMBER_H */
