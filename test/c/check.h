/* SPDX-License-Identifier: MIT */
/* What the C test programs check with. */
#ifndef NFTRACE_TEST_C_CHECK_H
#define NFTRACE_TEST_C_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with status 1 when @condition does not hold, saying where. */
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			(void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				      __LINE__, #condition);                   \
			exit(1);                                               \
		}                                                              \
	} while (0)

#endif /* NFTRACE_TEST_C_CHECK_H */
