/* SPDX-License-Identifier: MIT */
/* A growing run of bytes. Where there is no memory the process ends. */
#ifndef NFTRACE_NATIVE_BASE_BUFFER_H
#define NFTRACE_NATIVE_BASE_BUFFER_H

#include <stddef.h>
#include <string.h>

/* All zeros: empty. Reused by setting .size to 0; freed with free(.data). */
struct base_buffer {
	char *data; /* owned */
	size_t size;
	size_t capacity;
};

/* Bytes that somebody else keeps. */
struct base_slice {
	const char *data; /* weak */
	size_t size;
};

/* realloc() that says "out of memory" and ends the process instead of failing.
 */
void *base_reallocate(void *pointer, size_t size);

/* Makes room for @size bytes more than there are. Slow path of the next. */
void base_buffer_grow(struct base_buffer *buffer, size_t size);

/* Where @size more bytes can be written; the caller then raises .size. */
static inline char *base_buffer_reserve(struct base_buffer *buffer, size_t size)
{
	if (!buffer->data || size > buffer->capacity - buffer->size)
		base_buffer_grow(buffer, size);
	return buffer->data + buffer->size;
}

static inline void base_buffer_add(struct base_buffer *buffer,
				   const void *bytes, size_t size)
{
	char *end = base_buffer_reserve(buffer, size);

	if (size)
		memcpy(end, bytes, size);
	buffer->size += size;
}

static inline void base_buffer_add_char(struct base_buffer *buffer, char byte)
{
	*base_buffer_reserve(buffer, 1) = byte;
	buffer->size++;
}

#endif /* NFTRACE_NATIVE_BASE_BUFFER_H */
