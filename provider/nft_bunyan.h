/* SPDX-License-Identifier: MIT */
/*
 * The `bunyan` provider: one event per Bunyan level, each with the flat part
 * of a record and the rest as JSON text. nft_contract.h has the tables: which
 * levels and fields there are.
 */
#ifndef NFTRACE_PROVIDER_NFT_BUNYAN_H
#define NFTRACE_PROVIDER_NFT_BUNYAN_H

#include "nft.h"
#include "nft_contract.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The events; also indices into struct nft_bunyan's array. */
#define NFT_BUNYAN_LEVEL(UPPER, name, number, LOGLEVEL) NFT_BUNYAN_##UPPER,
enum nft_bunyan_level {
	NFT_BUNYAN_LEVELS(NFT_BUNYAN_LEVEL) NFT_BUNYAN_NR_LEVELS,
};
#undef NFT_BUNYAN_LEVEL

/* The least number of each level, as NFT_BUNYAN_NUMBER_INFO. */
#define NFT_BUNYAN_NUMBER(UPPER, name, number, LOGLEVEL) \
	NFT_BUNYAN_NUMBER_##UPPER = (number),
enum nft_bunyan_number {
	NFT_BUNYAN_LEVELS(NFT_BUNYAN_NUMBER)
};
#undef NFT_BUNYAN_NUMBER

struct nft_bunyan {
	struct nft_event *events[NFT_BUNYAN_NR_LEVELS];
};

/* A record: a member for each field of the payload, in its order. */
#define NFT_BUNYAN_NUMBER(UPPER, name, TYPE, ctype) ctype name;
#define NFT_BUNYAN_STRING(UPPER, name)		    struct nft_string name;
struct nft_bunyan_record {
	NFT_BUNYAN_FIELDS(NFT_BUNYAN_NUMBER, NFT_BUNYAN_STRING,
			  NFT_BUNYAN_STRING)
};
#undef NFT_BUNYAN_NUMBER
#undef NFT_BUNYAN_STRING

/* The fields by their names, as NFT_BUNYAN_FIELD_HOSTNAME. */
#define NFT_BUNYAN_FIELD(UPPER, ...) NFT_BUNYAN_FIELD_##UPPER,
enum nft_bunyan_field {
	NFT_BUNYAN_FIELDS(NFT_BUNYAN_FIELD, NFT_BUNYAN_FIELD, NFT_BUNYAN_FIELD)
	NFT_BUNYAN_NR_FIELDS,
};
#undef NFT_BUNYAN_FIELD

/*
 * The most bytes that a record's payload takes beside those of its strings: its
 * numbers, the NUL of each string, and the space for each that may be empty.
 */
#define NFT_BUNYAN_FIXED_BYTES sizeof(struct nft_bunyan_fixed)

#define NFT_BUNYAN_NUMBER(UPPER, name, TYPE, ctype) char name[sizeof(ctype)];
#define NFT_BUNYAN_STRING(UPPER, name)		    char name[2];
#define NFT_BUNYAN_OBJECT(UPPER, name)		    char name[1];
struct nft_bunyan_fixed {
	NFT_BUNYAN_FIELDS(NFT_BUNYAN_NUMBER, NFT_BUNYAN_STRING,
			  NFT_BUNYAN_OBJECT)
};
#undef NFT_BUNYAN_NUMBER
#undef NFT_BUNYAN_STRING
#undef NFT_BUNYAN_OBJECT

/* The most bytes that a record's payload takes. */
#define NFT_BUNYAN_STRING(UPPER, name) bytes += record->name.size;
static inline size_t
nft_bunyan_payload_bytes(const struct nft_bunyan_record *record)
{
	size_t bytes = NFT_BUNYAN_FIXED_BYTES;

	NFT_BUNYAN_FIELDS(NFT_BUNYAN_NONE, NFT_BUNYAN_STRING, NFT_BUNYAN_STRING)
	return bytes;
}
#undef NFT_BUNYAN_STRING

/*
 * Opens the provider: the first call registers the events, later ones give
 * the same. Never closed. Returns 0 and *@bunyan, or a negative error of
 * nft_provider_create() or nft_provider_enable().
 */
int nft_bunyan_open(const struct nft_bunyan **bunyan);

/* The event that carries records of a level. */
static inline enum nft_bunyan_level nft_bunyan_level(int32_t level)
{
	/* The levels are in equal steps: provider/bunyan.c sees to that. */
	if (level < 2 * NFT_BUNYAN_LEVEL_STEP)
		return (enum nft_bunyan_level)0;
	if (level >= NFT_BUNYAN_NR_LEVELS * NFT_BUNYAN_LEVEL_STEP)
		return (enum nft_bunyan_level)(NFT_BUNYAN_NR_LEVELS - 1);
	return (enum nft_bunyan_level)(level / NFT_BUNYAN_LEVEL_STEP - 1);
}

/*
 * Records @record with the event of its level. Bytes after a NUL inside one of
 * its strings are left out, and each empty one but fields is recorded as one space;
 * as nft_fire() otherwise.
 */
void nft_bunyan_fire(const struct nft_bunyan *bunyan,
		     const struct nft_bunyan_record *record);

/*
 * As nft_bunyan_fire(), but fires the event of @level, that of the log call, whatever
 * level the record says.
 */
void nft_bunyan_fire_as(const struct nft_bunyan *bunyan, int32_t level,
			const struct nft_bunyan_record *record);

#ifdef __cplusplus
}
#endif

#endif /* NFTRACE_PROVIDER_NFT_BUNYAN_H */
