/* SPDX-License-Identifier: MIT */
/* What goes wrong, and what is to be known, told to whoever uses this code. */
#ifndef NFTRACE_NATIVE_BASE_REPORT_H
#define NFTRACE_NATIVE_BASE_REPORT_H

/* Takes a message: one line, without a line feed at its end, that may hold any bytes. */
typedef void base_report_fn(const char *text);

/*
 * Sets who gets all messages from now on; NULL, as at first: nobody. To be called
 * before other threads are started.
 */
void base_report_to(base_report_fn *report);

/* Reports what printf() would print: a message for the user, without a full stop. */
void base_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* NFTRACE_NATIVE_BASE_REPORT_H */
