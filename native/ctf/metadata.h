/* SPDX-License-Identifier: MIT */
/* Metadata files: whether libbabeltrace2 can be let at them. */
#ifndef NFTRACE_NATIVE_CTF_METADATA_H
#define NFTRACE_NATIVE_CTF_METADATA_H

#include <stdint.h>

/*
 * How many bytes of the metadata file at @path are whole packets, and in *@size
 * how many it has; for one that doesn't consist of packets, all. 0 if it can't
 * be read. libbabeltrace2 2.0 never comes back from a packet that is cut short.
 */
uint64_t ctf_metadata_whole(const char *path, uint64_t *size);

#endif /* NFTRACE_NATIVE_CTF_METADATA_H */
