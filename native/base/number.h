/* SPDX-License-Identifier: MIT */
/* JSON's numbers as JavaScript reads and writes them. */
#ifndef NFTRACE_NATIVE_BASE_NUMBER_H
#define NFTRACE_NATIVE_BASE_NUMBER_H

#include "base/buffer.h"

/* The double that a JSON number reads as; infinite if it is too large. */
double base_number_value(struct base_slice number);

/*
 * Adds a JSON number to @out as JSON.stringify() writes what JSON.parse() makes
 * of it: the shortest digits that give the same double; "null" if too large.
 */
void base_number_write(struct base_buffer *out, struct base_slice number);

#endif /* NFTRACE_NATIVE_BASE_NUMBER_H */
