/* SPDX-License-Identifier: MIT */
/* Fires records through LTTng's macros, to be held against our provider. */
#ifndef NFTRACE_TEST_C_RECORDS_H
#define NFTRACE_TEST_C_RECORDS_H

#include "../../provider/nft_bunyan.h"

/* As nft_bunyan_fire(), with strings that end at their NUL. */
void fire_twin(const struct nft_bunyan_record *record);

#endif /* NFTRACE_TEST_C_RECORDS_H */
