// SPDX-License-Identifier: MIT
/* Makes records of lines; see pipe/record.h. */
#include "pipe/record.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/date.h"
#include "base/utf8_repair.h"

_Static_assert(NFT_BUNYAN_NR_FIELDS == 7,
	       "choose_members() and finish() fill in each field");

/* What a record lacks reads as this; fields has what it really is. */
static const struct base_slice no_text = { " ", 1 };

#define STRING_MEMBER(UPPER, name) PIPE_FLAT_##UPPER,
static const enum pipe_flat strings[] = { NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE,
							  STRING_MEMBER) };

#define NR_STRINGS (sizeof(strings) / sizeof(strings[0]))

static bool is_int32(double number)
{
	return number >= INT32_MIN && number <= INT32_MAX &&
	       number == (int32_t)number;
}

/* Of any level, the nearest int32 below; info if it is no number. */
static int32_t nearest_level(const struct pipe_flat_value *level)
{
	double number = level->number;
	int32_t whole;

	if (level->type != PIPE_NUMBER || !isfinite(number))
		return NFT_BUNYAN_NUMBER_INFO;
	if (number <= INT32_MIN)
		return INT32_MIN;
	if (number >= INT32_MAX)
		return INT32_MAX;
	whole = (int32_t)number;
	return whole > number ? whole - 1 : whole;
}

int pipe_recorder_parse(struct pipe_recorder *recorder,
			const struct pipe_line *line)
{
	struct pipe_parser *parser = &recorder->parser;
	struct base_slice json = line->text;
	int ret;

	recorder->line = *line;
	if (!base_utf8_is_valid(json)) {
		base_text_cut(&recorder->repaired, 0);
		base_utf8_repair(&recorder->repaired, json);
		if (recorder->repaired.failed)
			return -ENOMEM;
		json = base_text_slice(&recorder->repaired);
	}
	recorder->text = json;
	if (base_utf8_has_surrogates(json)) {
		base_text_cut(&recorder->halves, 0);
		base_utf8_keep_halves(&recorder->halves, json);
		if (recorder->halves.failed)
			return -ENOMEM;
		json = base_text_slice(&recorder->halves);
	}
	ret = pipe_parse_line(parser, json, line->elisions, line->nr_elisions);
	if (ret == -ENOMEM)
		return ret;
	recorder->is_json = !ret && !line->cut;
	recorder->level = nft_bunyan_level(
		recorder->is_json
			? nearest_level(&parser->flat[PIPE_FLAT_LEVEL])
			: NFT_BUNYAN_NUMBER_INFO);
	return 0;
}

static void add_member(struct pipe_recorder *recorder,
		       const struct pipe_member *member)
{
	base_text_bytes(&recorder->members, member, sizeof(*member));
}

static void add_flat(struct pipe_recorder *recorder, enum pipe_flat flat)
{
	const struct pipe_parser *parser = &recorder->parser;

	for (size_t i = 0; i < parser->nr_members; i++)
		if (parser->members[i].flat == flat)
			add_member(recorder, &parser->members[i]);
}

/* A flat member's string, which may contain NULs. */
static struct base_slice string_of(const struct pipe_parser *parser,
				   enum pipe_flat flat)
{
	const struct pipe_flat_value *value = &parser->flat[flat];

	if (value->type != PIPE_STRING)
		return no_text;
	return (struct base_slice){ parser->strings.data + value->offset,
				    value->size };
}

/* Whether the payload can carry a flat member's string as it is. */
static bool is_exact(const struct pipe_parser *parser, enum pipe_flat flat)
{
	const struct pipe_elision *elision = parser->flat[flat].elision;

	return base_utf8_is_exact(string_of(parser, flat)) &&
	       (!elision || elision->exact);
}

static bool is_string(const struct pipe_parser *parser, enum pipe_flat flat)
{
	return parser->flat[flat].type == PIPE_STRING;
}

/* A record's time, ms since the epoch; *@exact: it says no more than that. */
static int64_t time_of(const struct pipe_parser *parser, bool *exact)
{
	const struct pipe_flat_value *time = &parser->flat[PIPE_FLAT_TIME];
	int64_t ms;

	*exact = false;
	if (time->type == PIPE_STRING && !time->elision &&
	    base_time_parse(string_of(parser, PIPE_FLAT_TIME), &ms, exact))
		return ms;
	if (time->type == PIPE_NUMBER && fabs(time->number) <= BASE_TIME_MAX)
		return (int64_t)time->number;
	return base_time_now();
}

/*
 * Chooses the members that go into fields: what has no place in the payload,
 * and what the payload can't carry exactly. Fills in the payload's numbers.
 */
static void choose_members(struct pipe_recorder *recorder,
			   struct nft_bunyan_record *record)
{
	const struct pipe_parser *parser = &recorder->parser;
	const struct pipe_flat_value *flat = parser->flat;
	const struct pipe_flat_value *level = &flat[PIPE_FLAT_LEVEL];
	const struct pipe_flat_value *pid = &flat[PIPE_FLAT_PID];
	const struct pipe_flat_value *v = &flat[PIPE_FLAT_V];
	bool empty_msg = is_string(parser, PIPE_FLAT_MSG) &&
			 !flat[PIPE_FLAT_MSG].size;
	bool exact_time;

	recorder->order = (struct pipe_order){ 0 };
	for (size_t i = 0; i < parser->nr_members; i++) {
		pipe_order_add(&recorder->order, parser->members[i].flat);
		if (parser->members[i].flat == PIPE_NOT_FLAT)
			add_member(recorder, &parser->members[i]);
	}
	if (empty_msg)
		add_flat(recorder, PIPE_FLAT_MSG);
	for (size_t i = 0; i < NR_STRINGS; i++)
		if (!is_string(parser, strings[i]))
			add_flat(recorder, strings[i]);
	record->pid = 0;
	if (pid->type == PIPE_NUMBER && is_int32(pid->number))
		record->pid = (int32_t)pid->number;
	else
		add_flat(recorder, PIPE_FLAT_PID);
	record->level = nearest_level(level);
	if (level->type != PIPE_NUMBER || !is_int32(level->number))
		add_flat(recorder, PIPE_FLAT_LEVEL);
	record->time = time_of(parser, &exact_time);
	if (!exact_time)
		add_flat(recorder, PIPE_FLAT_TIME);
	if (v->type != PIPE_NUMBER || v->number != 0)
		add_flat(recorder, PIPE_FLAT_V);
	for (size_t i = 0; i < NR_STRINGS; i++)
		if (is_string(parser, strings[i]) &&
		    !is_exact(parser, strings[i]) &&
		    !(empty_msg && strings[i] == PIPE_FLAT_MSG))
			add_flat(recorder, strings[i]);
}

/* What was left out of the line, as it would be in the payload. */
static size_t elided_bytes(const struct pipe_parser *parser)
{
	size_t bytes = parser->elided_bytes;

	for (size_t i = 0; i < NR_STRINGS; i++) {
		const struct pipe_flat_value *flat = &parser->flat[strings[i]];

		if (flat->type != PIPE_STRING || !flat->elision)
			continue;
		bytes += flat->elision->bytes;
		if (!is_exact(parser, strings[i]))
			bytes += flat->elision->escaped_bytes;
	}
	return bytes;
}

static void set_string(struct nft_string *string, struct base_slice text)
{
	/* The text is in a buffer of ours. */
	if (text.data != no_text.data)
		base_utf8_replace_halves((char *)text.data, text.size);
	string->data = text.data;
	string->size = text.size;
}

#define ADD_BYTES(UPPER, name)	payload->bytes += payload->name.size;
#define SET_STRING(UPPER, name) set_string(&record->name, payload->name);

/*
 * Writes fields, cutting the record if it is too large, and the strings. Returns 0
 * or -ENOMEM.
 */
static int finish(struct pipe_recorder *recorder, struct pipe_payload *payload,
		  struct nft_bunyan_record *record, size_t left_out)
{
	const char *text = recorder->parser.text.data;
	struct base_text *fields = &recorder->fields;

	payload->members = (struct pipe_member *)recorder->members.data;
	payload->nr_members =
		recorder->members.size / sizeof(struct pipe_member);
	base_text_cut(fields, 0);
	base_text_char(fields, '{');
	for (size_t i = 0; i < payload->nr_members; i++) {
		const struct pipe_member *member = &payload->members[i];

		pipe_order_append(&recorder->order, fields, i);
		if (i)
			base_text_char(fields, ',');
		base_text_bytes(fields, text + member->begin,
				member->end - member->begin);
	}
	if (payload->nr_members <= recorder->order.nr_members)
		pipe_order_append(&recorder->order, fields,
				  payload->nr_members);
	base_text_char(fields, '}');
	pipe_order_end(&recorder->order, fields);
	payload->bytes = NFT_BUNYAN_FIXED_BYTES + fields->size + left_out;
	NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE, ADD_BYTES)
	if (payload->bytes > recorder->limit) {
		base_text_cut(fields, 0);
		base_text_char(fields, '{');
		if (pipe_limit_cut(&recorder->limiter, &recorder->parser,
				   payload, recorder->limit, fields))
			return -ENOMEM;
		base_text_char(fields, '}');
	}
	base_text_char(fields, '\0');
	if (fields->failed)
		return -ENOMEM;
	record->fields.data = fields->data;
	record->fields.size = fields->size - 1;
	NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE, SET_STRING)
	return 0;
}

#define PAYLOAD_STRING(UPPER, name) \
	.name = string_of(parser, PIPE_FLAT_##UPPER),

static int build(struct pipe_recorder *recorder,
		 struct nft_bunyan_record *record, size_t left_out)
{
	const struct pipe_parser *parser = &recorder->parser;
	struct pipe_payload payload = { NFT_BUNYAN_FLAT(NFT_BUNYAN_NONE,
							PAYLOAD_STRING) };

	base_text_cut(&recorder->members, 0);
	(void)base_text_reserve(&recorder->members, 1); /* never NULL */
	choose_members(recorder, record);
	if (recorder->members.failed)
		return -ENOMEM;
	return finish(recorder, &payload, record,
		      elided_bytes(parser) + left_out);
}

static void add_literal(struct base_text *out, const char *literal)
{
	base_text_bytes(out, literal, strlen(literal));
}

/*
 * Puts a record of our own in place of a line that isn't JSON: its message. Returns
 * 0 or -ENOMEM.
 */
static int wrap_text(struct pipe_recorder *recorder)
{
	struct base_text *json = &recorder->halves;
	char *hostname = recorder->hostname;
	struct base_slice own = { hostname, 0 };

	if (!*hostname)
		(void)gethostname(hostname, sizeof(recorder->hostname) - 1);
	own.size = strlen(hostname);
	base_text_cut(json, 0);
	add_literal(json, "{\"name\":\"\",\"hostname\":");
	base_text_exact_string(json, own);
	add_literal(json, ",\"pid\":");
	base_text_unsigned(json, (uint64_t)getpid());
	add_literal(json, ",\"msg\":");
	base_text_exact_string(json, recorder->text);
	add_literal(json, ",\"v\":0}");
	if (json->failed)
		return -ENOMEM;
	return pipe_parse_line(&recorder->parser, base_text_slice(json), NULL,
			       0);
}

int pipe_recorder_build(struct pipe_recorder *recorder,
			struct nft_bunyan_record *record)
{
	size_t left_out = 0;

	if (!recorder->is_json) {
		int ret = wrap_text(recorder);

		if (ret)
			return ret;
		left_out = recorder->line.cut + recorder->line.left_out;
	}
	return build(recorder, record, left_out);
}

void pipe_recorder_free(struct pipe_recorder *recorder)
{
	pipe_parser_free(&recorder->parser);
	pipe_limiter_free(&recorder->limiter);
	base_text_free(&recorder->repaired);
	base_text_free(&recorder->halves);
	base_text_free(&recorder->fields);
	base_text_free(&recorder->members);
}
