// SPDX-License-Identifier: MIT
/* Splices JSON objects; see reader/json.h. */
#include "reader/json.h"

#include <string.h>

#include "base/utf8.h"
#include "base/utf8_repair.h"

/*
 * Reads JSON text and copies it. What is to be copied is first only read past:
 * the text from copied to at is still to come, most often all of an object at
 * once. Reading needs no check for the end: there is a NUL, which ends
 * whatever it stands in.
 */
struct scanner {
	struct reader_json *json;
	struct base_text *text; /* weak; where copies go */
	const char *at;
	const char *end;
	const char *copied;
	bool has_escape; /* set by scan_string() */
};

static void copy_pending(struct scanner *scanner)
{
	base_text_bytes(scanner->text, scanner->copied,
			(size_t)(scanner->at - scanner->copied));
	scanner->copied = scanner->at;
}

static void leave_out_space(struct scanner *scanner)
{
	copy_pending(scanner);
	while (reader_order_is_space(*scanner->at))
		scanner->at++;
	scanner->copied = scanner->at;
}

/* Leaves white space out of the copy; there seldom is any. */
static inline void skip_space(struct scanner *scanner)
{
	if ((unsigned char)*scanner->at <= ' ' &&
	    reader_order_is_space(*scanner->at))
		leave_out_space(scanner);
}

/* The same between the members of the outermost object, where it may have a meaning. */
static inline void skip_marks(struct scanner *scanner)
{
	if ((unsigned char)*scanner->at > ' ' ||
	    !reader_order_is_space(*scanner->at))
		return;
	copy_pending(scanner);
	reader_order_mark(&scanner->json->order, scanner->at,
			  scanner->text->size);
	leave_out_space(scanner);
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* From a backslash on. */
static bool scan_escape(struct scanner *scanner)
{
	scanner->has_escape = true;
	switch (scanner->at[1]) {
	case '"':
	case '\\':
	case '/':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		scanner->at += 2;
		return true;
	case 'u':
		for (int i = 2; i < 6; i++)
			if (base_hex_digit(scanner->at[i]) < 0)
				return false;
		scanner->at += 6;
		return true;
	default:
		return false;
	}
}

/* An unseen character that JSON allows: any but those below a space. */
static bool scan_unseen(struct scanner *scanner)
{
	size_t size;

	if ((unsigned char)*scanner->at < 0x20)
		return false;
	copy_pending(scanner);
	size = base_text_unseen(scanner->text, scanner->at, scanner->end);
	scanner->at += size;
	scanner->copied = scanner->at;
	return size > 0;
}

static bool scan_string(struct scanner *scanner)
{
	if (*scanner->at != '"')
		return false;
	scanner->at++;
	scanner->has_escape = false;
	for (;;) {
		scanner->at += base_utf8_plain(scanner->at, scanner->end);
		if (*scanner->at == '"') {
			scanner->at++;
			return true;
		}
		if (*scanner->at == '\\' ? !scan_escape(scanner)
					 : !scan_unseen(scanner))
			return false;
	}
}

static bool scan_digits(struct scanner *scanner)
{
	if (!is_digit(*scanner->at))
		return false;
	while (is_digit(*scanner->at))
		scanner->at++;
	return true;
}

static bool scan_number(struct scanner *scanner)
{
	if (*scanner->at == '-')
		scanner->at++;
	if (*scanner->at == '0')
		scanner->at++;
	else if (!scan_digits(scanner))
		return false;
	if (*scanner->at == '.') {
		scanner->at++;
		if (!scan_digits(scanner))
			return false;
	}
	if (*scanner->at == 'e' || *scanner->at == 'E') {
		scanner->at++;
		if (*scanner->at == '+' || *scanner->at == '-')
			scanner->at++;
		if (!scan_digits(scanner))
			return false;
	}
	return true;
}

static bool scan_word(struct scanner *scanner, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(scanner->at, word, size) != 0)
		return false;
	scanner->at += size;
	return true;
}

static bool scan_scalar(struct scanner *scanner)
{
	switch (*scanner->at) {
	case '"':
		return scan_string(scanner);
	case 't':
		return scan_word(scanner, "true");
	case 'f':
		return scan_word(scanner, "false");
	case 'n':
		return scan_word(scanner, "null");
	default:
		return scan_number(scanner);
	}
}

/* A member's name and colon, up to its value. */
static bool scan_key(struct scanner *scanner)
{
	skip_space(scanner);
	if (!scan_string(scanner))
		return false;
	skip_space(scanner);
	if (*scanner->at != ':')
		return false;
	scanner->at++;
	return true;
}

/*
 * Opens the object or array at scanner->at. Returns whether that went well,
 * and in *@is_empty whether it was closed at once.
 */
static bool scan_open(struct scanner *scanner, bool *is_empty)
{
	char bracket = *scanner->at++;

	skip_space(scanner);
	*is_empty = *scanner->at == (bracket == '{' ? '}' : ']');
	if (*is_empty) {
		scanner->at++;
		return true;
	}
	base_text_char(&scanner->json->open, bracket);
	if (scanner->json->open.failed)
		return false;
	return bracket != '{' || scan_key(scanner);
}

/*
 * After a value: closes what ends here. Returns whether that went well, and in
 * *@is_done whether the outermost value has ended; else another one follows.
 */
static bool scan_close(struct scanner *scanner, bool *is_done)
{
	struct base_text *open = &scanner->json->open;

	for (;;) {
		char bracket;

		*is_done = open->size == 0;
		if (*is_done)
			return true;
		bracket = open->data[open->size - 1];
		skip_space(scanner);
		if (*scanner->at == ',') {
			scanner->at++;
			return bracket != '{' || scan_key(scanner);
		}
		if (*scanner->at != (bracket == '{' ? '}' : ']'))
			return false;
		scanner->at++;
		open->size--;
	}
}

/* Any value; doesn't recurse, for it may be nested as deep as it is long. */
static bool scan_value(struct scanner *scanner)
{
	bool is_done = false;

	base_text_cut(&scanner->json->open, 0);
	while (!is_done) {
		skip_space(scanner);
		if (*scanner->at == '{' || *scanner->at == '[') {
			bool is_empty;

			if (!scan_open(scanner, &is_empty))
				return false;
			if (!is_empty)
				continue;
		} else if (!scan_scalar(scanner)) {
			return false;
		}
		if (!scan_close(scanner, &is_done))
			return false;
	}
	return true;
}

/* Longest name of a core member, and of "context". */
#define MAX_CORE_NAME 8
#define FITS(UPPER, name, ...)                             \
	_Static_assert(sizeof(#name) - 1 <= MAX_CORE_NAME, \
		       #name " is longer than MAX_CORE_NAME");
NFT_BUNYAN_FLAT(FITS, FITS)
/* \uXXXX */
#define ESCAPE_SIZE 6

/*
 * Takes the escapes out of a valid JSON string @key of @size bytes, without
 * its quotes. Returns the bytes in @name; 0 if it can't be a core member's.
 */
static size_t unescape_key(const char *key, size_t size,
			   char name[MAX_CORE_NAME])
{
	size_t length = 0;

	for (size_t i = 0; i < size; length++) {
		if (length == MAX_CORE_NAME)
			return 0;
		if (key[i] != '\\') {
			name[length] = key[i++];
			continue;
		}
		/* No core name has a character that a short escape stands for. */
		if (key[i + 1] != 'u' || key[i + 2] != '0' || key[i + 3] != '0')
			return 0;
		name[length] = (char)(base_hex_digit(key[i + 4]) << 4 |
				      base_hex_digit(key[i + 5]));
		i += ESCAPE_SIZE;
	}
	return length;
}

#define CORE_NAME(UPPER, name, ...) \
	[READER_JSON_##UPPER] = { #name, sizeof(#name) - 1 },

/* Which core member a key names; READER_JSON_NR_CORE for none. */
static enum reader_json_core find_core(const char *name, size_t size)
{
	static const struct {
		const char *name;
		size_t size;
	} names[READER_JSON_NR_CORE] = { NFT_BUNYAN_FLAT(CORE_NAME, CORE_NAME)
						 CORE_NAME(V, v) };
	enum reader_json_core core = 0;

	while (core < READER_JSON_NR_CORE &&
	       (names[core].size != size ||
		memcmp(names[core].name, name, size) != 0))
		core++;
	return core;
}

static enum reader_json_core classify_key(struct reader_json *json,
					  const char *key, size_t size,
					  bool has_escape)
{
	static const char context[] = "context";
	char name[MAX_CORE_NAME];

	if (has_escape) {
		size = unescape_key(key, size, name);
		key = name;
	}
	if (size == sizeof(context) - 1 && !memcmp(key, context, size))
		json->has_context = true;
	return find_core(key, size);
}

/* The value of a core member, to json->values; a later one replaces it. */
static bool splice_core(struct scanner *scanner, enum reader_json_core core)
{
	struct reader_json *json = scanner->json;
	struct base_text *text = scanner->text;
	bool is_valid;

	skip_space(scanner);
	scanner->text = &json->values;
	scanner->copied = scanner->at;
	json->core[core].offset = json->values.size;
	json->has_core = true;
	is_valid = scan_value(scanner);
	copy_pending(scanner);
	json->core[core].size = json->values.size - json->core[core].offset;
	scanner->text = text;
	return is_valid;
}

/* A member of the outermost object. */
static bool splice_member(struct scanner *scanner)
{
	struct base_text *text = scanner->text;
	size_t before = text->size;
	const char *key = scanner->at;
	enum reader_json_core core;

	base_text_literal(text, ",");
	scanner->copied = key;
	if (!scan_string(scanner))
		return false;
	core = classify_key(scanner->json, key + 1,
			    (size_t)(scanner->at - key - 2),
			    scanner->has_escape);
	skip_space(scanner);
	if (*scanner->at != ':')
		return false;
	scanner->at++;
	if (core != READER_JSON_NR_CORE) {
		base_text_cut(text, before);
		scanner->copied = scanner->at;
		return splice_core(scanner, core);
	}
	if (!scan_value(scanner))
		return false;
	copy_pending(scanner);
	return true;
}

static bool splice_object(struct scanner *scanner)
{
	skip_space(scanner);
	if (*scanner->at != '{')
		return false;
	scanner->at++;
	scanner->copied = scanner->at;
	skip_marks(scanner);
	if (*scanner->at == '}') {
		scanner->at++;
		return true;
	}
	for (;;) {
		scanner->copied = scanner->at;
		skip_marks(scanner);
		if (!splice_member(scanner))
			return false;
		scanner->copied = scanner->at;
		skip_marks(scanner);
		if (*scanner->at != ',')
			break;
		scanner->at++;
	}
	if (*scanner->at != '}')
		return false;
	scanner->at++;
	return true;
}

void reader_json_forget(struct reader_json *json)
{
	json->order.nr_places = 0;
	json->order.moved = 0;
	if (!json->has_core && !json->has_context)
		return;
	base_text_cut(&json->values, 0);
	memset(json->core, 0, sizeof(json->core));
	json->has_core = false;
	json->has_context = false;
}

bool reader_json_splice(struct reader_json *json, struct base_text *text,
			const char *object, size_t size)
{
	struct scanner scanner = {
		.json = json,
		.text = text,
		.at = object,
		.end = object + size,
		.copied = object,
	};
	size_t before = text->size;

	if (size == 2 && !memcmp(object, "{}", 2))
		return true;
	if (splice_object(&scanner)) {
		reader_order_end(&json->order, scanner.at);
		scanner.copied = scanner.at;
		skip_space(&scanner);
		if (scanner.at == scanner.end)
			return true;
	}
	base_text_cut(text, before);
	reader_json_forget(json);
	return false;
}

bool reader_json_value(const struct reader_json *json,
		       enum reader_json_core core, struct base_text *text)
{
	if (!json->core[core].size)
		return false;
	base_text_bytes(text, json->values.data + json->core[core].offset,
			json->core[core].size);
	return true;
}

void reader_json_free(struct reader_json *json)
{
	base_text_free(&json->values);
	base_text_free(&json->open);
	*json = (struct reader_json){ 0 };
}
