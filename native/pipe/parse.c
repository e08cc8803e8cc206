// SPDX-License-Identifier: MIT
/* Parses lines with yajl; see pipe/parse.h. */
#include "pipe/parse.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "base/number.h"

/* Each level may cost a copy of what is in it; see rewrite(). */
#define MAX_DEPTH 1024
/* Up to so many members, comparing each with each finds equal keys fastest. */
#define FEW_MEMBERS 32
/* What yajl needs for most lines. Bytes. */
#define POOL_SIZE     16384
#define NOT_AN_OBJECT "not a JSON object"

#define FLAT_NAME(UPPER, name, ...) \
	[PIPE_FLAT_##UPPER] = { #name, sizeof(#name) - 1 },

static const struct base_slice flat_names[PIPE_NR_FLAT] = { NFT_BUNYAN_FLAT(
	FLAT_NAME, FLAT_NAME) FLAT_NAME(V, v) };

/*
 * yajl allocates its state anew for each text, which costs as much as parsing a
 * short one. It gets pieces of the pool, each after its size; what doesn't fit
 * comes from the heap.
 */
union pipe_piece {
	struct {
		size_t size;
		union pipe_piece *next;	 /* of the heap's pieces */
		union pipe_piece **link; /* to this one; NULL in the pool */
	} head;
	max_align_t alignment;
};

/*
 * yajl writes to what it allocates without a look at it. So when memory runs out,
 * this leaves yajl for parse(), which can't be done by returning to it.
 */
static void *allocate(void *context, size_t size)
{
	struct pipe_parser *parser = context;
	size_t rounded = (size + sizeof(union pipe_piece) - 1) /
			 sizeof(union pipe_piece) * sizeof(union pipe_piece);
	union pipe_piece *piece;

	if (rounded + sizeof(*piece) <= POOL_SIZE - parser->pool_used) {
		piece = (union pipe_piece *)(parser->pool + parser->pool_used);
		parser->pool_used += rounded + sizeof(*piece);
		piece->head.link = NULL;
	} else {
		piece = malloc(rounded + sizeof(*piece));
		if (!piece)
			longjmp(*parser->out_of_memory, 1);
		piece->head.link = &parser->heap_pieces;
		piece->head.next = parser->heap_pieces;
		if (piece->head.next)
			piece->head.next->head.link = &piece->head.next;
		parser->heap_pieces = piece;
	}
	piece->head.size = size;
	return piece + 1;
}

static void deallocate(void *context, void *pointer)
{
	union pipe_piece *piece = pointer;

	(void)context;
	if (!pointer || !(--piece)->head.link)
		return;
	*piece->head.link = piece->head.next;
	if (piece->head.next)
		piece->head.next->head.link = piece->head.link;
	free(piece);
}

static void *reallocate(void *context, void *pointer, size_t size)
{
	void *resized = allocate(context, size);
	size_t old_size;

	if (!pointer)
		return resized;
	old_size = ((union pipe_piece *)pointer - 1)->head.size;
	memcpy(resized, pointer, old_size < size ? old_size : size);
	deallocate(context, pointer);
	return resized;
}

/* Frees what yajl holds, which may have been left in the middle. */
static void free_pieces(struct pipe_parser *parser)
{
	while (parser->heap_pieces) {
		union pipe_piece *piece = parser->heap_pieces;

		parser->heap_pieces = piece->head.next;
		free(piece);
	}
	parser->pool_used = 0;
}

/* The array index that a key in JSON text is; UINT32_MAX: none. */
static uint32_t index_of(const char *key, size_t key_size)
{
	const char *digit = key + 1;
	const char *end = key + key_size - 1;
	uint64_t index = 0;

	if (digit == end || end - digit > 10 ||
	    (*digit == '0' && end - digit > 1))
		return UINT32_MAX;
	for (; digit < end; digit++) {
		if (*digit < '0' || *digit > '9')
			return UINT32_MAX;
		index = index * 10 + (uint64_t)(*digit - '0');
	}
	return index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
}

static bool same_key(const char *text, const struct pipe_member *a,
		     const struct pipe_member *b)
{
	return a->hash == b->hash && a->key_size == b->key_size &&
	       !memcmp(text + a->begin, text + b->begin, a->key_size);
}

static int compare_positions(const void *left, const void *right)
{
	const struct pipe_member *a = left, *b = right;

	return (a->position > b->position) - (a->position < b->position);
}

/* Equal keys come together, in the order of the text. */
static int compare_keys(const void *left, const void *right, void *text)
{
	const struct pipe_member *a = left, *b = right;
	int order = (a->hash > b->hash) - (a->hash < b->hash);

	if (!order)
		order = (a->key_size > b->key_size) -
			(a->key_size < b->key_size);
	if (!order)
		order = memcmp((const char *)text + a->begin,
			       (const char *)text + b->begin, a->key_size);
	return order ? order : compare_positions(a, b);
}

void pipe_parser_sort(struct pipe_parser *parser, struct pipe_member *members,
		      size_t nr_members)
{
	/* Indices are below all positions: these are raised above them. */
	for (size_t i = 0; i < nr_members; i++) {
		uint32_t index = index_of(parser->text.data + members[i].begin,
					  members[i].key_size);

		members[i].position =
			index < UINT32_MAX ? index
					   : members[i].position + UINT32_MAX;
	}
	qsort(members, nr_members, sizeof(*members), compare_positions);
	for (size_t i = 0; i < nr_members; i++)
		members[i].position = i;
}

static bool has_equal_keys(const char *text, const struct pipe_member *members,
			   size_t nr_members)
{
	for (size_t i = 1; i < nr_members; i++)
		for (size_t j = 0; j < i; j++)
			if (same_key(text, &members[i], &members[j]))
				return true;
	return false;
}

/* Of equal keys, the last one's value stays, at the first one's place. */
static size_t drop_equal_keys(struct pipe_parser *parser,
			      struct pipe_member *members, size_t nr_members)
{
	size_t kept = 0;

	qsort_r(members, nr_members, sizeof(*members), compare_keys,
		parser->text.data);
	for (size_t i = 0; i < nr_members; i++) {
		if (kept && same_key(parser->text.data, &members[i],
				     &members[kept - 1])) {
			size_t position = members[kept - 1].position;

			members[kept - 1] = members[i];
			members[kept - 1].position = position;
		} else {
			members[kept++] = members[i];
		}
	}
	return kept;
}

/* Puts an object's text in the order of its members. */
static void rewrite(struct pipe_parser *parser, size_t begin,
		    const struct pipe_member *members, size_t nr_members)
{
	struct base_text *text = &parser->text;

	base_text_cut(&parser->scratch, 0);
	for (size_t i = 0; i < nr_members; i++) {
		if (i)
			base_text_char(&parser->scratch, ',');
		base_text_bytes(&parser->scratch, text->data + members[i].begin,
				members[i].end - members[i].begin);
	}
	base_text_cut(text, begin);
	base_text_bytes(text, parser->scratch.data, parser->scratch.size);
}

/* Gives the innermost object's members JavaScript's order. */
static void put_in_order(struct pipe_parser *parser)
{
	const struct pipe_container *object =
		&parser->containers[parser->depth - 1];
	struct pipe_member *members = parser->members + object->first_member;
	size_t nr_members = parser->nr_members - object->first_member;

	if (!object->has_index &&
	    (nr_members <= FEW_MEMBERS &&
	     !has_equal_keys(parser->text.data, members, nr_members)))
		return;
	nr_members = drop_equal_keys(parser, members, nr_members);
	pipe_parser_sort(parser, members, nr_members);
	parser->nr_members = object->first_member + nr_members;
	if (parser->depth > 1)
		rewrite(parser, object->begin, members, nr_members);
}

static struct pipe_container *innermost(struct pipe_parser *parser)
{
	return parser->depth ? &parser->containers[parser->depth - 1] : NULL;
}

/* Whether the next value is a flat member's. */
static struct pipe_flat_value *flat_value(struct pipe_parser *parser)
{
	if (parser->depth != 1 || parser->current == PIPE_NOT_FLAT)
		return NULL;
	return &parser->flat[parser->current];
}

static void begin_value(struct pipe_parser *parser, enum pipe_flat_type type)
{
	struct pipe_container *container = innermost(parser);
	struct pipe_flat_value *flat = flat_value(parser);

	if (flat)
		*flat = (struct pipe_flat_value){ .type = type };
	if (!container || container->is_object)
		return;
	if (!container->is_empty)
		base_text_char(&parser->text, ',');
	container->is_empty = false;
}

/* Returns what a callback does: whether to go on. */
static int end_value(struct pipe_parser *parser)
{
	const struct pipe_container *container = innermost(parser);

	if (container && container->is_object)
		parser->members[parser->nr_members - 1].end = parser->text.size;
	return !parser->text.failed;
}

static int add_literal(struct pipe_parser *parser, const char *literal)
{
	begin_value(parser, PIPE_OTHER);
	base_text_bytes(&parser->text, literal, strlen(literal));
	return end_value(parser);
}

static int on_null(void *context)
{
	return add_literal(context, "null");
}

static int on_boolean(void *context, int value)
{
	return add_literal(context, value ? "true" : "false");
}

static int on_number(void *context, const char *digits, size_t size)
{
	struct pipe_parser *parser = context;
	struct base_slice number = { digits, size };

	begin_value(parser, PIPE_NUMBER);
	if (flat_value(parser) &&
	    base_number_read(number, &flat_value(parser)->number))
		base_text_fail(&parser->text);
	base_number_write(&parser->text, number);
	return end_value(parser);
}

/* What was left out of the string that comes now; NULL: nothing. */
static const struct pipe_elision *next_elision(struct pipe_parser *parser)
{
	uint64_t string = parser->nr_strings++;

	if (!parser->nr_elisions || parser->elisions->string != string)
		return NULL;
	parser->nr_elisions--;
	return parser->elisions++;
}

static int on_string(void *context, const unsigned char *data, size_t size)
{
	struct pipe_parser *parser = context;
	struct base_slice string = { (const char *)data, size };
	const struct pipe_elision *elision = next_elision(parser);
	struct pipe_flat_value *flat;

	begin_value(parser, PIPE_STRING);
	flat = flat_value(parser);
	if (flat) {
		flat->offset = parser->strings.size;
		flat->size = size;
		flat->elision = elision;
		base_text_bytes(&parser->strings, data, size);
		base_text_char(&parser->strings, '\0');
	} else if (elision) {
		parser->elided_bytes += elision->escaped_bytes;
	}
	base_text_exact_string(&parser->text, string);
	return end_value(parser);
}

static enum pipe_flat find_flat(struct base_slice key)
{
	for (int i = 0; i < PIPE_NR_FLAT; i++)
		if (key.size == flat_names[i].size &&
		    !memcmp(key.data, flat_names[i].data, key.size))
			return (enum pipe_flat)i;
	return PIPE_NOT_FLAT;
}

/* FNV-1a */
static uint32_t hash_of(struct base_slice text)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 16777619U;
	return hash;
}

/* Makes room for more members. Returns 0 or -ENOMEM. */
static int grow_members(struct pipe_parser *parser)
{
	size_t capacity = 2 * parser->member_capacity + 64;
	struct pipe_member *members =
		reallocarray(parser->members, capacity, sizeof(*members));

	if (!members)
		return -ENOMEM;
	parser->members = members;
	parser->member_capacity = capacity;
	return 0;
}

/* Makes room for more containers in one another. Returns 0 or -ENOMEM. */
static int grow_containers(struct pipe_parser *parser)
{
	size_t capacity = 2 * parser->container_capacity + 16;
	struct pipe_container *containers =
		reallocarray(parser->containers, capacity, sizeof(*containers));

	if (!containers)
		return -ENOMEM;
	parser->containers = containers;
	parser->container_capacity = capacity;
	return 0;
}

/* What a callback returns when memory has run out. */
static int stop(struct pipe_parser *parser)
{
	base_text_fail(&parser->text);
	return 0;
}

static int on_key(void *context, const unsigned char *data, size_t size)
{
	struct pipe_parser *parser = context;
	struct base_slice key = { (const char *)data, size };
	struct pipe_container *object = innermost(parser);
	const struct pipe_elision *elision = next_elision(parser);
	struct pipe_member *member;

	if (elision)
		parser->elided_bytes += elision->escaped_bytes;
	if (!object->is_empty)
		base_text_char(&parser->text, ',');
	object->is_empty = false;
	if (parser->nr_members == parser->member_capacity &&
	    grow_members(parser))
		return stop(parser);
	member = &parser->members[parser->nr_members++];
	*member = (struct pipe_member){
		.begin = parser->text.size,
		.position = parser->text.size,
		.hash = hash_of(key),
		.flat = PIPE_NOT_FLAT,
	};
	if (parser->depth == 1) {
		parser->current = find_flat(key);
		member->flat = parser->current;
	}
	base_text_exact_string(&parser->text, key);
	if (parser->text.failed)
		return 0;
	member->key_size = parser->text.size - member->begin;
	if (index_of(parser->text.data + member->begin, member->key_size) !=
	    UINT32_MAX)
		object->has_index = true;
	base_text_char(&parser->text, ':');
	return 1;
}

static int begin_container(struct pipe_parser *parser, bool is_object)
{
	struct pipe_container *container;

	if (parser->depth == MAX_DEPTH) {
		parser->too_deep = true;
		return 0;
	}
	begin_value(parser, PIPE_OTHER);
	if (parser->depth)
		base_text_char(&parser->text, is_object ? '{' : '[');
	if (parser->depth == parser->container_capacity &&
	    grow_containers(parser))
		return stop(parser);
	container = &parser->containers[parser->depth++];
	*container = (struct pipe_container){
		.is_object = is_object,
		.is_empty = true,
		.begin = parser->text.size,
		.first_member = parser->nr_members,
	};
	return 1;
}

static int begin_object(void *context)
{
	return begin_container(context, true);
}

static int begin_array(void *context)
{
	return begin_container(context, false);
}

static int end_object(void *context)
{
	struct pipe_parser *parser = context;

	put_in_order(parser);
	parser->depth--;
	if (!parser->depth) {
		parser->object_end = yajl_get_bytes_consumed(parser->yajl);
		return 1;
	}
	parser->nr_members = parser->containers[parser->depth].first_member;
	base_text_char(&parser->text, '}');
	return end_value(parser);
}

static int end_array(void *context)
{
	struct pipe_parser *parser = context;

	parser->depth--;
	base_text_char(&parser->text, ']');
	return end_value(parser);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = begin_object,
	.yajl_map_key = on_key,
	.yajl_end_map = end_object,
	.yajl_start_array = begin_array,
	.yajl_end_array = end_array,
};

static void note_error(struct pipe_parser *parser, size_t at, const char *error)
{
	parser->error_at = at;
	(void)snprintf(parser->error, sizeof(parser->error), "%s", error);
	parser->error[strcspn(parser->error, ".\n")] = '\0';
}

/* @at: the byte after what yajl stumbled over. */
static void note_yajl_error(struct pipe_parser *parser, size_t at)
{
	unsigned char *error = yajl_get_error(parser->yajl, 0, NULL, 0);

	note_error(parser, at ? at - 1 : 0,
		   parser->too_deep ? "nested too deep" : (const char *)error);
	yajl_free_error(parser->yajl, error);
}

/* JSON's white space, without the line feed, which no line has. */
static bool is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The first byte from @at on that isn't white space. */
static size_t skip_space(struct base_slice line, size_t at)
{
	while (at < line.size && is_space(line.data[at]))
		at++;
	return at;
}

/*
 * Whether JavaScript takes what yajl has taken: yajl allows a string without an
 * end after the object, and two more characters as white space.
 */
static bool is_strict(struct pipe_parser *parser, struct base_slice line)
{
	size_t end = skip_space(line, parser->object_end);
	const char *odd = memchr(line.data, '\v', line.size);

	if (!odd)
		odd = memchr(line.data, '\f', line.size);
	if (odd)
		note_error(parser, (size_t)(odd - line.data),
			   "lexical error: invalid char in json text");
	else if (end < line.size)
		note_error(parser, end, "parse error: trailing garbage");
	return !odd && end == line.size;
}

/* Returns 0 or -ENOMEM. */
static int reset(struct pipe_parser *parser)
{
	if (!parser->pool)
		parser->pool = malloc(POOL_SIZE);
	if (!parser->pool || (!parser->members && grow_members(parser)))
		return -ENOMEM;
	base_text_cut(&parser->text, 0);
	base_text_cut(&parser->strings, 0);
	parser->nr_members = 0;
	parser->elided_bytes = 0;
	parser->depth = 0;
	parser->nr_strings = 0;
	parser->too_deep = false;
	for (int i = 0; i < PIPE_NR_FLAT; i++)
		parser->flat[i].type = PIPE_ABSENT;
	return 0;
}

/* Parses with yajl. Returns 0 or -EINVAL, unless allocate() leaves it. */
static int parse(struct pipe_parser *parser, struct base_slice line)
{
	yajl_alloc_funcs memory = {
		.malloc = allocate,
		.realloc = reallocate,
		.free = deallocate,
		.ctx = parser,
	};
	yajl_handle yajl = yajl_alloc(&callbacks, &memory, parser);

	parser->yajl = yajl;
	/* It is valid, but for halves of surrogate pairs. */
	(void)yajl_config(yajl, yajl_dont_validate_strings, 1);
	if (yajl_parse(yajl, (const unsigned char *)line.data, line.size) !=
	    yajl_status_ok) {
		note_yajl_error(parser, yajl_get_bytes_consumed(yajl));
		return -EINVAL;
	}
	if (yajl_complete_parse(yajl) != yajl_status_ok) {
		note_yajl_error(parser, line.size + 1);
		return -EINVAL;
	}
	return is_strict(parser, line) ? 0 : -EINVAL;
}

/* Parses with yajl. Returns 0, -EINVAL or -ENOMEM. */
static int parse_in_memory(struct pipe_parser *parser, struct base_slice line)
{
	jmp_buf out_of_memory;

	parser->out_of_memory = &out_of_memory;
	if (setjmp(out_of_memory))
		return -ENOMEM;
	return parse(parser, line);
}

int pipe_parse_line(struct pipe_parser *parser, struct base_slice line,
		    const struct pipe_elision *elisions, size_t nr_elisions)
{
	size_t begin = skip_space(line, 0);
	int ret;

	if (begin == line.size || line.data[begin] != '{') {
		note_error(parser, begin, NOT_AN_OBJECT);
		return -EINVAL;
	}
	if (reset(parser))
		return -ENOMEM;
	parser->elisions = elisions;
	parser->nr_elisions = nr_elisions;
	ret = parse_in_memory(parser, line);
	free_pieces(parser);
	if (parser->text.failed || parser->strings.failed ||
	    parser->scratch.failed)
		return -ENOMEM;
	return ret;
}

void pipe_parser_free(struct pipe_parser *parser)
{
	base_text_free(&parser->text);
	base_text_free(&parser->strings);
	base_text_free(&parser->scratch);
	free(parser->members);
	free(parser->containers);
	free(parser->pool);
}
