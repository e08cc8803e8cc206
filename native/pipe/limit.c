// SPDX-License-Identifier: MIT
/* Cuts records; see pipe/limit.h. Each rule here is one of lib/record/limit.js. */
#include "pipe/limit.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "pipe/json.h"

#define MARK "\"" NFT_BUNYAN_TRUNCATED "\""
/* Strings keep at least so many bytes; before that, members are dropped. */
#define MIN_STRING	  24
#define MAX_DROPPED_NAMES ((size_t)8)
#define MAX_NAME_SIZE	  40

/* The strings of a payload, beside the members, as STRING_HOSTNAME. */
#define STRING(UPPER, name) STRING_##UPPER,
enum {
	NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE, STRING) NR_STRINGS
};

/* What the strings are counted in: the record with fields as a member. */
#define FRAME_STRING(UPPER, name) "\"" #name "\":\"\","
#define FRAME_OBJECT(UPPER, name) "\"" #name "\":{}"
#define FRAME \
	"{" NFT_BUNYAN_FIELDS(NFT_BUNYAN_NONE, FRAME_STRING, FRAME_OBJECT) "}"

/* Names of members that had to be left out, the first few. */
struct dropped {
	struct base_slice keys[MAX_DROPPED_NAMES]; /* JSON, without quotes */
	size_t nr_keys;
};

static size_t member_size(const struct pipe_member *member)
{
	return member->end - member->begin;
}

/* Calls @visit with the size of each string value of a member. */
static void each_string(const struct pipe_parser *parser,
			const struct pipe_member *member,
			void (*visit)(void *data, size_t size), void *data)
{
	const char *at = parser->text.data + member->begin;
	const char *end = parser->text.data + member->end;
	struct base_slice inside;
	bool is_key;

	while (pipe_json_next_string(&at, end, &inside, &is_key))
		if (!is_key)
			visit(data, inside.size);
}

static size_t reducible(size_t size)
{
	return size > MIN_STRING ? size - MIN_STRING : 0;
}

static void add_reducible(void *data, size_t size)
{
	*(size_t *)data += reducible(size);
}

/*
 * What is left of a member when each of its strings is cut to MIN_STRING; one
 * more than the limit for all that can't fit.
 */
static size_t minimal_size(const struct pipe_parser *parser,
			   const struct pipe_member *member, size_t limit)
{
	size_t saved = 0;
	size_t size;

	each_string(parser, member, add_reducible, &saved);
	size = member_size(member) - saved;
	return size > limit ? limit + 1 : size;
}

/* Those first whose loss frees most, else in order. */
static int compare_least(const void *left, const void *right)
{
	const struct pipe_member *a = left, *b = right;

	if (a->least != b->least)
		return a->least < b->least ? 1 : -1;
	return (a->position > b->position) - (a->position < b->position);
}

#define STRING_SIZE(UPPER, name) base_text_exact_size(payload->name),

/* Drops the largest members until the others' strings can be cut to fit. */
static void drop_members(const struct pipe_parser *parser,
			 struct pipe_payload *payload, size_t room,
			 size_t limit, struct dropped *dropped)
{
	size_t strings[NR_STRINGS] = { NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE,
						       STRING_SIZE) };
	size_t minimal = sizeof(FRAME) - 1;
	size_t first = 0;

	for (size_t i = 0; i < NR_STRINGS; i++)
		minimal += strings[i] - reducible(strings[i]);
	for (size_t i = 0; i < payload->nr_members; i++) {
		struct pipe_member *member = &payload->members[i];

		member->least = minimal_size(parser, member, limit);
		minimal += member->least + (i > 0);
	}
	dropped->nr_keys = 0;
	if (minimal <= room)
		return;
	qsort(payload->members, payload->nr_members, sizeof(struct pipe_member),
	      compare_least);
	for (; minimal > room && first < payload->nr_members; first++) {
		const struct pipe_member *member = &payload->members[first];

		minimal -= member->least;
		minimal -= first + 1 < payload->nr_members;
		if (dropped->nr_keys == MAX_DROPPED_NAMES)
			continue;
		dropped->keys[dropped->nr_keys++] = (struct base_slice){
			parser->text.data + member->begin + 1,
			member->key_size - 2,
		};
	}
	payload->members += first;
	payload->nr_members -= first;
}

static void add_size(void *data, size_t size)
{
	struct base_text *sizes = data;

	base_text_bytes(sizes, &size, sizeof(size));
}

static int compare_numbers(const void *left, const void *right)
{
	size_t a, b;

	memcpy(&a, left, sizeof(a));
	memcpy(&b, right, sizeof(b));
	return (a > b) - (a < b);
}

#define ADD_STRING_SIZE(UPPER, name) \
	add_size(sizes, base_text_exact_size(payload->name));

/* The most bytes each string may keep for the record to stay within a room. */
static size_t highest_cut(struct pipe_limiter *limiter,
			  const struct pipe_parser *parser,
			  const struct pipe_payload *payload, size_t room)
{
	struct base_text *sizes = &limiter->sizes;
	size_t others = sizeof(FRAME) - 1;
	size_t count;

	base_text_cut(sizes, 0);
	NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE, ADD_STRING_SIZE)
	for (size_t i = 0; i < payload->nr_members; i++) {
		size_t before = sizes->size;

		each_string(parser, &payload->members[i], add_size, sizes);
		others += member_size(&payload->members[i]) + (i > 0);
		for (; before < sizes->size; before += sizeof(size_t)) {
			size_t size;

			memcpy(&size, sizes->data + before, sizeof(size));
			others -= size;
		}
	}
	count = sizes->size / sizeof(size_t);
	if (count)
		qsort(sizes->data, count, sizeof(size_t), compare_numbers);
	room = room > others ? room - others : 0;
	for (size_t i = 0; i < count; i++) {
		size_t share = room / (count - i);
		size_t size;

		memcpy(&size, sizes->data + i * sizeof(size), sizeof(size));
		if (size > share)
			return share;
		room -= size;
	}
	return SIZE_MAX;
}

/* Adds a member with its strings cut. Returns how many were. */
static uint64_t add_member(struct base_text *out,
			   const struct pipe_parser *parser,
			   const struct pipe_member *member, size_t most)
{
	const char *copied = parser->text.data + member->begin;
	const char *end = parser->text.data + member->end;
	const char *at = copied;
	struct base_slice inside;
	uint64_t nr_cut = 0;
	bool is_key;

	while (pipe_json_next_string(&at, end, &inside, &is_key)) {
		if (is_key || inside.size <= most)
			continue;
		base_text_bytes(out, copied, (size_t)(inside.data - copied));
		pipe_json_cut(out, inside, true, most);
		copied = inside.data + inside.size;
		nr_cut++;
	}
	base_text_bytes(out, copied, (size_t)(end - copied));
	return nr_cut;
}

/* Cuts one of a payload's strings; the cut one is at *@offset in strings. */
static bool cut_string(struct pipe_limiter *limiter, struct base_slice *string,
		       size_t most, size_t *offset)
{
	struct base_text *strings = &limiter->strings;

	if (base_text_exact_size(*string) <= most)
		return false;
	*offset = strings->size;
	pipe_json_cut(strings, *string, false, most);
	string->size = strings->size - *offset;
	base_text_char(strings, '\0');
	return true;
}

#define STRING_OF(UPPER, name) &payload->name,

static uint64_t cut_strings(struct pipe_limiter *limiter,
			    struct pipe_payload *payload, size_t most)
{
	struct base_slice *strings[NR_STRINGS] = { NFT_BUNYAN_FLAT(
		NFT_BUNYAN_NONE, STRING_OF) };
	size_t offsets[NR_STRINGS];
	bool cut[NR_STRINGS];
	uint64_t nr_cut = 0;

	base_text_cut(&limiter->strings, 0);
	for (size_t i = 0; i < NR_STRINGS; i++) {
		cut[i] = cut_string(limiter, strings[i], most, &offsets[i]);
		nr_cut += cut[i];
	}
	/* Not before: the buffer moves while it grows. */
	for (size_t i = 0; i < NR_STRINGS; i++)
		if (cut[i])
			strings[i]->data = limiter->strings.data + offsets[i];
	return nr_cut;
}

static void add_mark(struct base_text *out, size_t bytes, uint64_t nr_cut,
		     const struct dropped *dropped)
{
	static const char begin[] = MARK ":{\"bytes\":";

	base_text_bytes(out, begin, sizeof(begin) - 1);
	base_text_unsigned(out, bytes);
	base_text_bytes(out, ",\"cut\":", 7);
	base_text_unsigned(out, nr_cut);
	for (size_t i = 0; i < dropped->nr_keys; i++) {
		struct base_slice key = dropped->keys[i];

		if (i)
			base_text_bytes(out, ",\"", 2);
		else
			base_text_bytes(out, ",\"dropped\":[\"", 13);
		if (key.size > MAX_NAME_SIZE)
			pipe_json_cut(out, key, true, MAX_NAME_SIZE);
		else
			base_text_bytes(out, key.data, key.size);
		base_text_char(out, '"');
	}
	if (dropped->nr_keys)
		base_text_char(out, ']');
	base_text_char(out, '}');
}

/* Leaves out a mark that the record already has. */
static void remove_mark(const struct pipe_parser *parser,
			struct pipe_payload *payload)
{
	for (size_t i = 0; i < payload->nr_members; i++) {
		const struct pipe_member *member = &payload->members[i];

		if (member->key_size != sizeof(MARK) - 1 ||
		    memcmp(parser->text.data + member->begin, MARK,
			   sizeof(MARK) - 1) != 0)
			continue;
		payload->nr_members--;
		memmove(&payload->members[i], &payload->members[i + 1],
			(payload->nr_members - i) * sizeof(*member));
		return;
	}
}

int pipe_limit_cut(struct pipe_limiter *limiter, struct pipe_parser *parser,
		   struct pipe_payload *payload, size_t limit,
		   struct base_text *fields)
{
	/* Room for the mark itself, and for what else the record's JSON has. */
	size_t room = limit - NFT_BUNYAN_FIXED_BYTES - 128 -
		      MAX_DROPPED_NAMES * (MAX_NAME_SIZE + 3);
	struct dropped dropped;
	uint64_t nr_cut = 0;
	size_t most;

	for (size_t i = 0; i < payload->nr_members; i++)
		payload->members[i].position = i;
	pipe_parser_sort(parser, payload->members, payload->nr_members);
	remove_mark(parser, payload);
	drop_members(parser, payload, room, limit, &dropped);
	if (dropped.nr_keys)
		pipe_parser_sort(parser, payload->members, payload->nr_members);
	most = highest_cut(limiter, parser, payload, room);
	for (size_t i = 0; i < payload->nr_members; i++) {
		nr_cut +=
			add_member(fields, parser, &payload->members[i], most);
		base_text_char(fields, ',');
	}
	nr_cut += cut_strings(limiter, payload, most);
	add_mark(fields, payload->bytes, nr_cut, &dropped);
	return limiter->strings.failed || limiter->sizes.failed ? -ENOMEM : 0;
}

void pipe_limiter_free(struct pipe_limiter *limiter)
{
	base_text_free(&limiter->strings);
	base_text_free(&limiter->sizes);
}
