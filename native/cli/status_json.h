/* SPDX-License-Identifier: MIT */
/* The status as JSON. */
#ifndef NFTRACE_NATIVE_CLI_STATUS_JSON_H
#define NFTRACE_NATIVE_CLI_STATUS_JSON_H

#include "session/collect.h"

/* Prints a status on stdout as a JSON object. Returns 0, or -1 if it can't. */
int cli_status_print_json(const struct session_overview *status);

#endif /* NFTRACE_NATIVE_CLI_STATUS_JSON_H */
