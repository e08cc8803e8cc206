// SPDX-License-Identifier: MIT
/* What is known about an event class and a trace; see reader/class.h. */
#include "reader/class.h"

#include <stdlib.h>
#include <string.h>

#include "base/level.h"

/* Finds a member of a class of a structure. Returns whether it is there. */
static bool find_member(const bt_field_class *structure, const char *name,
			bt_field_class_type type, uint64_t *index)
{
	uint64_t nr_members =
		bt_field_class_structure_get_member_count(structure);

	for (*index = 0; *index < nr_members; ++*index) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(
				structure, *index);

		if (!strcmp(bt_field_class_structure_member_get_name(member),
			    name))
			return bt_field_class_get_type(
				       bt_field_class_structure_member_borrow_field_class_const(
					       member)) == type;
	}
	return false;
}

#define NUMBER(UPPER, name, ...) { #name, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER },
#define STRING(UPPER, name)	 { #name, BT_FIELD_CLASS_TYPE_STRING },

/*
 * Whether events of this class have the payload of Bunyan's. Fields are found by
 * name, so that a newer minor version of the contract may have more of them.
 */
static bool find_members(struct reader_class *class)
{
	static const struct {
		const char *name;
		bt_field_class_type type;
	} members[] = { NFT_BUNYAN_FIELDS(NUMBER, STRING, STRING) };
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(
			class->event_class);

	if (!payload)
		return false;
	for (size_t i = 0; i < READER_NR_MEMBERS; i++)
		if (!find_member(payload, members[i].name, members[i].type,
				 &class->members[i]))
			return false;
	return true;
}

struct reader_class *reader_class_create(const bt_event_class *event_class)
{
	struct reader_class *class = calloc(1, sizeof(*class));

	if (!class)
		return NULL;
	class->event_class = event_class;
	bt_event_class_get_ref(event_class);
	class->name = bt_event_class_get_name(event_class);
	if (!class->name)
		class->name = "";
	class->is_of_provider = base_level_is_event(class->name);
	class->is_bunyan = class->is_of_provider && find_members(class);
	return class;
}

void reader_class_free(void *reader_class)
{
	struct reader_class *class = reader_class;

	bt_event_class_put_ref(class->event_class);
	free(class);
}

/* An entry of a trace's environment; "" if there is no such text. */
static const char *environment_text(const bt_trace *trace, const char *name)
{
	const bt_value *value =
		bt_trace_borrow_environment_entry_value_by_name_const(trace,
								      name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value)
						  : "";
}

struct reader_trace *reader_trace_create(const bt_trace *trace)
{
	struct reader_trace *known = calloc(1, sizeof(*known));
	const bt_value *vpid;

	if (!known)
		return NULL;
	known->trace = trace;
	bt_trace_get_ref(trace);
	known->hostname = environment_text(trace, "hostname");
	known->domain = environment_text(trace, "domain");
	known->name = environment_text(trace, "trace_name");
	vpid = bt_trace_borrow_environment_entry_value_by_name_const(trace,
								     "vpid");
	if (vpid && bt_value_is_signed_integer(vpid))
		known->vpid = bt_value_integer_signed_get(vpid);
	return known;
}

void reader_trace_free(void *reader_trace)
{
	struct reader_trace *known = reader_trace;

	bt_trace_put_ref(known->trace);
	free(known);
}
