// SPDX-License-Identifier: MIT
/* Values of a record's members; see expression/members.h. */
#include "expression/members.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_NUMBER 63 /* digits; more are cut off */

ssize_t expression_members_add(struct expression_members *members,
			       const char *parts, size_t size, size_t nr_parts)
{
	struct expression_path *path;

	for (size_t i = 0; i < members->nr_paths; i++)
		if (members->paths[i].size == size &&
		    !memcmp(members->paths[i].parts, parts, size))
			return (ssize_t)i;
	path = reallocarray(members->paths, members->nr_paths + 1,
			    sizeof(*members->paths));
	if (!path)
		return -ENOMEM;
	members->paths = path;
	path += members->nr_paths;
	*path = (struct expression_path){ .size = size, .nr_parts = nr_parts };
	path->parts = malloc(size);
	if (!path->parts)
		return -ENOMEM;
	memcpy(path->parts, parts, size);
	return (ssize_t)members->nr_paths++;
}

/* The name at one place of a path. */
static const char *part(const struct expression_path *path, size_t index)
{
	const char *name = path->parts;

	while (index--)
		name += strlen(name) + 1;
	return name;
}

/* A name comes up in the innermost object or array. */
static void match_name(struct expression_members *members, const char *name,
		       size_t size)
{
	size_t before = members->depth - 1;

	for (size_t i = 0; i < members->nr_paths; i++) {
		struct expression_path *path = &members->paths[i];
		const char *wanted;

		if (path->nr_matched > before)
			path->nr_matched = before;
		if (path->nr_matched != before || before >= path->nr_parts)
			continue;
		wanted = part(path, before);
		if (strlen(wanted) == size && !memcmp(wanted, name, size))
			path->nr_matched++;
	}
}

static bool is_far(const struct expression_members *members)
{
	return members->depth == 0 || members->depth > EXPRESSION_MEMBERS_DEPTH;
}

/* A value begins; the element of an array has its index for a name. */
static void begin_value(struct expression_members *members)
{
	char name[24];
	int size;

	if (is_far(members) || !members->open[members->depth].is_array)
		return;
	size = snprintf(name, sizeof(name), "%zu",
			members->open[members->depth].index++);
	match_name(members, name, (size_t)size);
}

/* Gives a value to the paths that end here. */
static void set_value(struct expression_members *members,
		      const struct expression_value *value)
{
	begin_value(members);
	if (is_far(members))
		return;
	for (size_t i = 0; i < members->nr_paths; i++) {
		struct expression_path *path = &members->paths[i];

		if (path->nr_matched == members->depth &&
		    path->nr_parts == members->depth)
			path->value = *value;
	}
}

static bool is_wanted(const struct expression_members *members)
{
	for (size_t i = 0; i < members->nr_paths; i++)
		if (members->paths[i].nr_matched == members->depth &&
		    members->paths[i].nr_parts == members->depth)
			return true;
	return false;
}

static int on_null(void *data)
{
	set_value(data,
		  &(struct expression_value){ .type = EXPRESSION_VALUE_NULL });
	return 1;
}

static int on_bool(void *data, int value)
{
	set_value(data,
		  &(struct expression_value){ .type = EXPRESSION_VALUE_BOOL,
					      .number = value ? 1 : 0 });
	return 1;
}

static int on_number(void *data, const char *digits, size_t size)
{
	struct expression_value value = { .type = EXPRESSION_VALUE_NUMBER };
	char text[MAX_NUMBER + 1];

	if (size > MAX_NUMBER)
		size = MAX_NUMBER;
	memcpy(text, digits, size);
	text[size] = '\0';
	value.number = strtold(text, NULL);
	set_value(data, &value);
	return 1;
}

static int on_string(void *data, const unsigned char *string, size_t size)
{
	struct expression_members *members = data;
	struct expression_value value = {
		.type = EXPRESSION_VALUE_STRING,
		.offset = members->strings.size,
		.size = size,
	};
	bool is_element = !is_far(members) &&
			  members->open[members->depth].is_array;

	if (is_element || is_wanted(members)) {
		base_text_bytes(&members->strings, string, size);
		base_text_char(&members->strings, '\0');
	}
	set_value(members, &value);
	return !members->strings.failed;
}

static int on_name(void *data, const unsigned char *name, size_t size)
{
	struct expression_members *members = data;

	if (!is_far(members))
		match_name(members, (const char *)name, size);
	return 1;
}

static int open_any(struct expression_members *members, bool is_array)
{
	set_value(members,
		  &(struct expression_value){ .type = EXPRESSION_VALUE_OTHER });
	members->depth++;
	if (!is_far(members)) {
		members->open[members->depth].is_array = is_array;
		members->open[members->depth].index = 0;
	}
	return 1;
}

static int open_object(void *data)
{
	return open_any(data, false);
}

static int open_array(void *data)
{
	return open_any(data, true);
}

static int close_any(void *data)
{
	struct expression_members *members = data;

	members->depth--;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = open_object,
	.yajl_map_key = on_name,
	.yajl_end_map = close_any,
	.yajl_start_array = open_array,
	.yajl_end_array = close_any,
};

/* Makes a parser that takes one line after the other. Returns 0 or -ENOMEM. */
static int make_parser(struct expression_members *members)
{
	if (members->parser)
		return 0;
	members->parser = yajl_alloc(&callbacks, NULL, members);
	if (!members->parser)
		return -ENOMEM;
	(void)yajl_config(members->parser, yajl_allow_multiple_values, 1);
	(void)yajl_config(members->parser, yajl_dont_validate_strings, 1);
	return 0;
}

int expression_members_read(struct expression_members *members,
			    const char *line, size_t size)
{
	base_text_cut(&members->strings, 0);
	members->depth = 0;
	for (size_t i = 0; i < members->nr_paths; i++) {
		members->paths[i].nr_matched = 0;
		members->paths[i].value = (struct expression_value){ 0 };
	}
	if (make_parser(members))
		return -ENOMEM;
	if (yajl_parse(members->parser, (const unsigned char *)line, size) !=
	    yajl_status_ok) {
		/* What came before stays; the next line gets a new parser. */
		yajl_free(members->parser);
		members->parser = NULL;
	}
	return members->strings.failed ? -ENOMEM : 0;
}

void expression_members_free(struct expression_members *members)
{
	for (size_t i = 0; i < members->nr_paths; i++)
		free(members->paths[i].parts);
	free(members->paths);
	if (members->parser)
		yajl_free(members->parser);
	base_text_free(&members->strings);
	*members = (struct expression_members){ 0 };
}
