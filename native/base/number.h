/* SPDX-License-Identifier: MIT */
/* JSON's numbers as JavaScript reads and writes them. */
#ifndef NFTRACE_NATIVE_BASE_NUMBER_H
#define NFTRACE_NATIVE_BASE_NUMBER_H

#include "base/buffer.h"

/* The double that a JSON number reads as; infinite if it is too large. */
double cli_number_value(struct cli_text number);

/*
 * Adds a JSON number to @out as JSON.stringify() writes what JSON.parse() makes
 * of it: the shortest digits that give the same double; "null" if too large.
 */
void cli_number_write(struct cli_buffer *out, struct cli_text number);

#endif /* NFTRACE_NATIVE_BASE_NUMBER_H */
