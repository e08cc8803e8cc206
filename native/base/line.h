/* SPDX-License-Identifier: MIT */
/* Parts of a Bunyan line, by the names of the contract (provider/nft_contract.h). */
#ifndef NFTRACE_NATIVE_BASE_LINE_H
#define NFTRACE_NATIVE_BASE_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <nft_bunyan.h>

#include "base/text.h"
#include "base/time.h"

/*
 * Appends a literal and a field's key with its colon; the field must be one of the
 * payload's. base_line_key(text, ",", hostname) appends ,"hostname":
 */
#define base_line_key(text, before, field)                              \
	((void)sizeof(((const struct nft_bunyan_record *)NULL)->field), \
	 base_text_literal(text, before "\"" #field "\":"))

/* Appends the beginning of a line: who logs. @name has @name_size bytes. */
void base_line_identity(struct base_text *text, const char *name,
			size_t name_size, const char *hostname, int64_t pid);

/*
 * Appends the beginning of a record of nftrace's own: who logs, and the level.
 * Members follow, each behind a comma, msg last; then base_line_end().
 */
void base_line_begin(struct base_text *text, const char *name, size_t name_size,
		     const char *hostname, int64_t pid,
		     enum nft_bunyan_number level);

/* Appends the end of such a record. @ms: its time, since the Unix epoch. */
void base_line_end(struct base_text *text, struct base_time *time, int64_t ms);

#endif /* NFTRACE_NATIVE_BASE_LINE_H */
