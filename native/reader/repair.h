/* SPDX-License-Identifier: MIT */
/* Makes what is whole of a damaged trace readable. */
#ifndef NFTRACE_NATIVE_READER_REPAIR_H
#define NFTRACE_NATIVE_READER_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/source.h"
#include "base/temporary.h"

/*
 * Stand-ins for damaged trace folders: each has links to what is whole and
 * copies of the whole packets of what isn't. Zeroed: none.
 */
struct reader_repairs {
	struct base_temporary folder; /* they are in it */
	char **originals; /* owned, and each of them: what they stand for */
	size_t nr_folders;
	bool is_partial; /* something was left out; printed what */
};

/*
 * Replaces a source's folders that don't open, or have damaged packets, by such
 * stand-ins, and prints what is left out; streams without events aren't worth a
 * word. The source has no parameters if nothing is left. Returns 0; or a negative
 * errno if out of memory or without a folder for temporary files, after a message.
 */
int reader_repair(struct reader_repairs *repairs, struct reader_source *source);

/*
 * Replaces *@folder, whose metadata is cut short, by a stand-in with what is
 * whole of it, and prints that; does nothing to any other folder. Returns 0; or a
 * negative errno after saying why: the folder must not be read then.
 */
int reader_repair_metadata(struct reader_repairs *repairs, char **folder);

/*
 * The path of a stream's file as the user knows it: of that which it may be a
 * stand-in for. The caller frees it. NULL when out of memory.
 */
char *reader_repairs_original(const struct reader_repairs *repairs,
			      const char *path);

/* Removes the stand-ins. */
void reader_repairs_remove(struct reader_repairs *repairs);

#endif /* NFTRACE_NATIVE_READER_REPAIR_H */
