// SPDX-License-Identifier: MIT
/* Field types and names; see layout.h. */
#include "layout.h"

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <lttng/ust-endian.h>
#include <lttng/ust-ringbuffer-context.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	"0123456789"

/* clang-format off */
#define INTEGER(c_type, is_signed)                                             \
	{                                                                      \
		.parent = { .type = lttng_ust_type_integer },                  \
		.struct_size = sizeof(struct lttng_ust_type_integer),          \
		.size = sizeof(c_type) * CHAR_BIT,                             \
		.alignment = lttng_ust_rb_alignof(c_type) * CHAR_BIT,          \
		.signedness = (is_signed),                                     \
		.reverse_byte_order = 0,                                       \
		.base = 10,                                                    \
	}
/* clang-format on */

static const struct lttng_ust_type_integer type_int32 = INTEGER(int32_t, 1);
static const struct lttng_ust_type_integer type_int64 = INTEGER(int64_t, 1);
static const struct lttng_ust_type_integer type_uint64 = INTEGER(uint64_t, 0);
static const struct lttng_ust_type_integer type_uint32 = INTEGER(uint32_t, 0);
static const struct lttng_ust_type_integer type_uint8 = INTEGER(uint8_t, 0);

static const struct lttng_ust_type_float type_double = {
	.parent = { .type = lttng_ust_type_float },
	.struct_size = sizeof(struct lttng_ust_type_float),
	.exp_dig = sizeof(double) * CHAR_BIT - DBL_MANT_DIG,
	.mant_dig = DBL_MANT_DIG,
	.alignment = lttng_ust_rb_alignof(double) * CHAR_BIT,
	.reverse_byte_order = LTTNG_UST_BYTE_ORDER !=
			      LTTNG_UST_FLOAT_WORD_ORDER,
};

static const struct lttng_ust_type_string type_string = {
	.parent = { .type = lttng_ust_type_string },
	.struct_size = sizeof(struct lttng_ust_type_string),
	.encoding = lttng_ust_string_encoding_UTF8,
};

static const struct lttng_ust_type_sequence type_text = {
	.parent = { .type = lttng_ust_type_sequence },
	.struct_size = sizeof(struct lttng_ust_type_sequence),
	.length_name = NULL, /* the field before it */
	.elem_type = &type_uint8.parent,
	.alignment = 0,
	.encoding = lttng_ust_string_encoding_UTF8,
};

const struct nft__type nft__types[NFT_NR_TYPES] = {
	[NFT_INT32] = { 'i', false, 4, lttng_ust_rb_alignof(int32_t),
			&type_int32.parent },
	[NFT_INT64] = { 'l', false, 8, lttng_ust_rb_alignof(int64_t),
			&type_int64.parent },
	[NFT_UINT64] = { 'u', false, 8, lttng_ust_rb_alignof(uint64_t),
			 &type_uint64.parent },
	[NFT_DOUBLE] = { 'd', false, 8, lttng_ust_rb_alignof(double),
			 &type_double.parent },
	[NFT_BOOL] = { 'b', false, 1, 1, &type_uint8.parent },
	[NFT_STRING] = { 's', false, 1, 1, &type_string.parent },
	[NFT_TEXT] = { 't', true, 4, lttng_ust_rb_alignof(uint32_t),
		       &type_text.parent },
};

const struct lttng_ust_type_common *const nft__length_description =
	&type_uint32.parent;

bool nft__is_identifier(const char *name)
{
	size_t length = strlen(name);

	return length && strspn(name, LETTERS DIGITS "_") == length &&
	       !strchr(DIGITS, name[0]);
}

/* Readers drop one leading "_", so "_x" would clash with "x". */
static bool is_field_name(const char *name)
{
	return nft__is_identifier(name) && name[0] != '_' &&
	       strlen(name) <= NFT__FIELD_NAME_MAX;
}

/* An NFT_TEXT field x brings an integer _x_length with it. */
static bool is_length_of(const char *name, const struct nft_field *text)
{
	size_t length = strlen(text->name);

	return text->type == NFT_TEXT && !strncmp(name, text->name, length) &&
	       !strcmp(name + length, "_length");
}

bool nft__fields_are_sound(const struct nft_field *fields, size_t nr_fields)
{
	for (size_t i = 0; i < nr_fields; i++) {
		const struct nft_field *field = &fields[i];

		if ((unsigned int)field->type >= NFT_NR_TYPES || !field->name ||
		    !is_field_name(field->name))
			return false;
		for (size_t j = 0; j < i; j++)
			if (!strcmp(field->name, fields[j].name) ||
			    is_length_of(field->name, &fields[j]) ||
			    is_length_of(fields[j].name, field))
				return false;
	}
	return true;
}
