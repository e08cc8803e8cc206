// SPDX-License-Identifier: MIT
/* JavaScript's buffers by handles; see memory.h. */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

/*
 * A record uses one buffer, and as many are known as records are being written (one
 * within another), kept as spares, or not yet collected after a termination. Beyond,
 * records take the slower way. A power of two.
 */
#define MAX_MEMORIES 256

struct memory {
	struct addon_memories *memories; /* weak: what this is part of */
	const char *bytes;		 /* weak: JavaScript's; NULL: free */
	size_t size;
	uint64_t generation; /* how many buffers have been here */
};

struct addon_memories {
	struct memory all[MAX_MEMORIES];
	size_t nr_holders; /* the environment, and each that is not free */
};

struct addon_memories *addon_memories_create(void)
{
	struct addon_memories *memories = calloc(1, sizeof(*memories));

	if (memories)
		memories->nr_holders = 1;
	return memories;
}

void addon_memories_release(struct addon_memories *memories)
{
	if (memories && --memories->nr_holders == 0)
		free(memories);
}

/* JavaScript has lost the buffer; @data is its struct memory. */
static void forget(napi_env env, void *data, void *hint)
{
	struct memory *memory = data;

	(void)env;
	(void)hint;
	memory->bytes = NULL;
	addon_memories_release(memory->memories);
}

double addon_memories_add(struct addon_memories *memories, napi_env env,
			  napi_value value)
{
	napi_typedarray_type type;
	struct memory *memory;
	size_t index = 0, size;
	void *bytes;

	while (index < MAX_MEMORIES && memories->all[index].bytes)
		index++;
	if (index == MAX_MEMORIES ||
	    napi_get_typedarray_info(env, value, &type, &size, &bytes, NULL,
				     NULL) != napi_ok ||
	    type != napi_uint8_array || !bytes)
		return 0;
	memory = &memories->all[index];
	if (napi_add_finalizer(env, value, memory, forget, NULL, NULL) !=
	    napi_ok)
		return 0;
	memory->memories = memories;
	memory->bytes = bytes;
	memory->size = size;
	memory->generation++;
	memories->nr_holders++;
	return (double)(memory->generation * MAX_MEMORIES + index);
}

const char *addon_memories_get(const struct addon_memories *memories,
			       double handle, size_t *size)
{
	const struct memory *memory;
	uint64_t number;

	/* Integers beyond are no handles, and not all can be told apart. */
	if (!(handle >= MAX_MEMORIES && handle < (double)(UINT64_C(1) << 53)))
		return NULL;
	number = (uint64_t)handle;
	memory = &memories->all[number % MAX_MEMORIES];
	if (memory->generation != number / MAX_MEMORIES)
		return NULL;
	*size = memory->size;
	return memory->bytes;
}
