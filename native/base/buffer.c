// SPDX-License-Identifier: MIT
/* Grows buffers; see base/buffer.h. */
#include "base/buffer.h"

#include <stdlib.h>

#include "base/report.h"

#define FIRST_CAPACITY 4096

void *base_reallocate(void *pointer, size_t size)
{
	void *grown = realloc(pointer, size);

	if (grown)
		return grown;
	base_report("out of memory");
	exit(EXIT_FAILURE);
}

void base_buffer_grow(struct base_buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : FIRST_CAPACITY;

	while (capacity - buffer->size < size)
		capacity *= 2;
	buffer->data = base_reallocate(buffer->data, capacity);
	buffer->capacity = capacity;
}
