/* SPDX-License-Identifier: MIT */
/* Text from elsewhere, made fit for a terminal. */
#ifndef NFTRACE_NATIVE_CLI_CONTROL_TEXT_H
#define NFTRACE_NATIVE_CLI_CONTROL_TEXT_H

/* Bytes that hold any path or session name made printable, with its NUL. */
#define CLI_TEXT_SIZE (4 * 4096 + 1)

/*
 * Copies @text into @buffer with each control character (DEL and the C1
 * controls of UTF-8 among them) as \xHH, so that
 * a terminal shows it and does not obey it. What doesn't fit is left out.
 * Returns @buffer.
 */
const char *cli_printable(char buffer[static CLI_TEXT_SIZE], const char *text);

#endif /* NFTRACE_NATIVE_CLI_CONTROL_TEXT_H */
