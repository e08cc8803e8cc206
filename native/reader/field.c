// SPDX-License-Identifier: MIT
/* Any field of a trace as a JSON value; see reader/field.h. */
#include "reader/field.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"

static void append_string(struct base_text *text, const char *string)
{
	base_text_string(text, string, strlen(string));
}

/* The shortest digits that read back as @value. */
static void append_real(struct base_text *text, double value, bool is_single)
{
	char digits[40]; /* more than any precision needs */

	if (!isfinite(value)) {
		base_text_literal(text, "null");
		return;
	}
	(void)snprintf(digits, sizeof(digits), "%.*g",
		       base_number_precision(value, is_single,
					     is_single ? FLT_DIG : DBL_DIG),
		       value);
	base_text_append(text, digits);
}

static void append_integer(struct base_text *text, const bt_field *field,
			   bool is_signed)
{
	if (is_signed)
		base_text_integer(text,
				  bt_field_integer_signed_get_value(field));
	else
		base_text_unsigned_integer(
			text, bt_field_integer_unsigned_get_value(field));
}

/* The label; where mappings overlap, the first; the number without any. */
static void append_enumeration(struct base_text *text, const bt_field *field,
			       bool is_signed)
{
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t nr_labels = 0;
	int status;

	if (is_signed)
		status = bt_field_enumeration_signed_get_mapping_labels(
			field, &labels, &nr_labels);
	else
		status = bt_field_enumeration_unsigned_get_mapping_labels(
			field, &labels, &nr_labels);
	if (status != 0 || !nr_labels)
		append_integer(text, field, is_signed);
	else
		append_string(text, labels[0]);
}

static void append_array(struct base_text *text, const bt_field *array)
{
	uint64_t length = bt_field_array_get_length(array);

	base_text_literal(text, "[");
	for (uint64_t i = 0; i < length; i++) {
		if (i)
			base_text_literal(text, ",");
		reader_field_append(
			text,
			bt_field_array_borrow_element_field_by_index_const(
				array, i));
	}
	base_text_literal(text, "]");
}

static void append_structure(struct base_text *text, const bt_field *structure)
{
	size_t begin = text->size;

	reader_field_append_members(text, structure);
	if (text->failed)
		return;
	if (text->size == begin)
		base_text_literal(text, "{");
	else
		text->data[begin] = '{'; /* for the first comma */
	base_text_literal(text, "}");
}

void reader_field_append(struct base_text *text, const bt_field *field)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (type == BT_FIELD_CLASS_TYPE_BOOL)
		base_text_append(text, bt_field_bool_get_value(field)
					       ? "true"
					       : "false");
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		base_text_unsigned_integer(
			text, bt_field_bit_array_get_value_as_integer(field));
	else if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION)
		append_enumeration(text, field, false);
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION)
		append_enumeration(text, field, true);
	else if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		append_integer(text, field, false);
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
		append_integer(text, field, true);
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		append_real(
			text,
			(double)bt_field_real_single_precision_get_value(field),
			true);
	else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
		append_real(text,
			    bt_field_real_double_precision_get_value(field),
			    false);
	else if (type == BT_FIELD_CLASS_TYPE_STRING)
		base_text_string(text, bt_field_string_get_value(field),
				 bt_field_string_get_length(field));
	else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		append_structure(text, field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		append_array(text, field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		reader_field_append(
			text,
			bt_field_variant_borrow_selected_option_field_const(
				field));
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION) &&
		 bt_field_option_borrow_field_const(field))
		reader_field_append(text,
				    bt_field_option_borrow_field_const(field));
	else /* an absent option, or a class that is newer than this */
		base_text_literal(text, "null");
}

void reader_field_append_members(struct base_text *text,
				 const bt_field *structure)
{
	const bt_field_class *class;
	uint64_t nr_members;

	if (!structure)
		return;
	class = bt_field_borrow_class_const(structure);
	nr_members = bt_field_class_structure_get_member_count(class);
	for (uint64_t i = 0; i < nr_members; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(
				class, i);

		base_text_literal(text, ",");
		append_string(text,
			      bt_field_class_structure_member_get_name(member));
		base_text_literal(text, ":");
		reader_field_append(
			text,
			bt_field_structure_borrow_member_field_by_index_const(
				structure, i));
	}
}

bool reader_field_integer(const bt_field *structure, const char *name,
			  int64_t *value)
{
	const bt_field *field;
	uint64_t unsigned_value;

	if (!structure)
		return false;
	field = bt_field_structure_borrow_member_field_by_name_const(structure,
								     name);
	if (!field)
		return false;
	switch (bt_field_get_class_type(field)) {
	case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
		*value = bt_field_integer_signed_get_value(field);
		return true;
	case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
		unsigned_value = bt_field_integer_unsigned_get_value(field);
		*value = (int64_t)unsigned_value;
		return unsigned_value <= INT64_MAX;
	default:
		return false;
	}
}
