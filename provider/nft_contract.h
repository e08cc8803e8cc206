/* SPDX-License-Identifier: MIT */
/*
 * What the `bunyan` events are: their provider, levels and payload, each once for
 * all of the C code. lib/record/contract.js is the same for JavaScript, and
 * test/contract.test.js holds the two equal. docs/events.md says what a new minor
 * and a new major version of this may change.
 *
 * The tables are lists of macro calls. Who needs one gives the macros:
 *
 *	#define NAME(UPPER, name, ...) #name,
 *	static const char *const names[] = { NFT_BUNYAN_LEVELS(NAME) };
 */
#ifndef NFTRACE_PROVIDER_NFT_CONTRACT_H
#define NFTRACE_PROVIDER_NFT_CONTRACT_H

#define NFT_BUNYAN_CONTRACT_MAJOR 1
#define NFT_BUNYAN_CONTRACT_MINOR 1

#define NFT_BUNYAN_PROVIDER "bunyan"

/* How far one level's number is from the next one's, and the first from 0. */
#define NFT_BUNYAN_LEVEL_STEP 10

/*
 * The most bytes of a payload, which a larger record is cut to: the smallest that can
 * be asked for, the most unless asked otherwise, and the largest.
 */
#define NFT_BUNYAN_LIMIT_LEAST	 1024
#define NFT_BUNYAN_LIMIT_DEFAULT 65536
#define NFT_BUNYAN_LIMIT_MOST	 67108864

/* The member of fields that says how a record was cut. */
#define NFT_BUNYAN_TRUNCATED "nftrace_truncated"

/* clang-format off */

/*
 * The levels, least severe first, as LEVEL(UPPER, name, number, LOGLEVEL): the
 * event's name is the level's; the number is the lowest level that the event carries.
 * The first event also carries all lower levels, and the last one all higher levels.
 * LOGLEVEL is the end of LTTng's name for its log level, as in NFT_INFO, TRACE_INFO.
 */
#define NFT_BUNYAN_LEVELS(LEVEL)              \
	LEVEL(TRACE, trace, 10, DEBUG)        \
	LEVEL(DEBUG, debug, 20, DEBUG_SYSTEM) \
	LEVEL(INFO,  info,  30, INFO)         \
	LEVEL(WARN,  warn,  40, WARNING)      \
	LEVEL(ERROR, error, 50, ERR)          \
	LEVEL(FATAL, fatal, 60, CRIT)

/*
 * The payload's fields that carry a member of the record, in its order:
 * NUMBER(UPPER, name, TYPE, ctype), with the end of NFT_TYPE, and STRING(UPPER, name).
 * level and pid are the record's; time is milliseconds since the Unix epoch. An
 * empty string is recorded as one space: babeltrace2 2.0.4 misreads empty ones.
 */
#define NFT_BUNYAN_FLAT(NUMBER, STRING)       \
	NUMBER(LEVEL, level, INT32, int32_t)  \
	NUMBER(TIME, time, INT64, int64_t)    \
	STRING(NAME, name)                    \
	STRING(HOSTNAME, hostname)            \
	NUMBER(PID, pid, INT32, int32_t)      \
	STRING(MSG, msg)

/* All fields: those, and OBJECT(UPPER, name), the other members as a JSON object. */
#define NFT_BUNYAN_FIELDS(NUMBER, STRING, OBJECT) \
	NFT_BUNYAN_FLAT(NUMBER, STRING)           \
	OBJECT(FIELDS, fields)

/* clang-format on */

/* For entries of a table that are of no concern. */
#define NFT_BUNYAN_NONE(...)

/* A number as a string literal, also one that a macro stands for. */
#define NFT_BUNYAN_TEXT(number)	   NFT_BUNYAN_AS_TEXT(number)
#define NFT_BUNYAN_AS_TEXT(number) #number

/* "1.1" */
#define NFT_BUNYAN_CONTRACT_VERSION                \
	NFT_BUNYAN_TEXT(NFT_BUNYAN_CONTRACT_MAJOR) \
	"." NFT_BUNYAN_TEXT(NFT_BUNYAN_CONTRACT_MINOR)

#endif /* NFTRACE_PROVIDER_NFT_CONTRACT_H */
