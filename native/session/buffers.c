// SPDX-License-Identifier: MIT
/* Parses the size of ring buffers; see session/buffers.h. */
#include "session/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beyond these, a typing error is more likely than the memory. */
#define MAX_SIZE  (UINT64_C(1) << 34)
#define MAX_COUNT (UINT64_C(1) << 16)

static const char *const signs[] = { "×", "x", "X", "*" };

static uint64_t power_of_two(uint64_t least, uint64_t at_least)
{
	uint64_t power = least;

	while (power < at_least)
		power *= 2;
	return power;
}

/* A decimal number at *@text, which is moved past it. 0: there is none. */
static uint64_t parse_number(const char **text, uint64_t most)
{
	unsigned long long number;
	char *end;

	if (**text < '0' || **text > '9')
		return 0;
	errno = 0;
	number = strtoull(*text, &end, 10);
	*text = end;
	return errno || number > most ? 0 : number;
}

static unsigned int parse_suffix(const char **text)
{
	static const char suffixes[] = "kKmMgG";
	const char *suffix = **text ? strchr(suffixes, **text) : NULL;

	if (!suffix)
		return 0;
	(*text)++;
	return 10 * (unsigned int)((suffix - suffixes) / 2 + 1);
}

static bool parse_sign(const char **text)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (!strncmp(*text, signs[i], strlen(signs[i]))) {
			*text += strlen(signs[i]);
			return true;
		}
	}
	return false;
}

bool session_buffers_parse(const char *text, struct session_buffers *buffers)
{
	uint64_t size = parse_number(&text, MAX_SIZE);
	uint64_t count;

	size <<= parse_suffix(&text);
	if (!size || size > MAX_SIZE || !parse_sign(&text))
		return false;
	count = parse_number(&text, MAX_COUNT);
	if (!count || *text)
		return false;
	buffers->size = power_of_two((uint64_t)sysconf(_SC_PAGESIZE), size);
	buffers->count = power_of_two(2, count);
	return true;
}
