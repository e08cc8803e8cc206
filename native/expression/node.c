// SPDX-License-Identifier: MIT
/* The tree that an expression is; see expression/node.h. */
#include "expression/node.h"

#include <stdlib.h>
#include <string.h>

#include "base/glob.h"

/* An operand's value, and its text if it is a string. */
struct operand {
	const struct expression_value *value;
	const char *text; /* or NULL */
};

static struct operand operand_of(const struct expression_members *members,
				 const struct expression_node *node)
{
	struct operand operand = { &node->value, node->plain };

	if (node->kind == OPERATOR_MEMBER) {
		operand.value = &members->paths[node->member].value;
		operand.text =
			operand.value->type == EXPRESSION_VALUE_STRING
				? members->strings.data + operand.value->offset
				: NULL;
	}
	return operand;
}

static bool are_equal(const struct expression_members *members,
		      const struct expression_node *node)
{
	const struct operand left = operand_of(members, node->left);
	const struct operand right = operand_of(members, node->right);

	if (left.value->type != right.value->type)
		return false;
	switch (left.value->type) {
	case EXPRESSION_VALUE_NULL:
		return true;
	case EXPRESSION_VALUE_BOOL:
	case EXPRESSION_VALUE_NUMBER:
		return left.value->number == right.value->number;
	case EXPRESSION_VALUE_STRING:
		if (node->right->text)
			return base_filter_glob(node->right->text, left.text,
						left.value->size);
		return left.value->size == right.value->size &&
		       !memcmp(left.text, right.text, left.value->size);
	default:
		return false;
	}
}

/* Below, at or above 0 as the left one is to the right one; false: neither. */
static bool compare(const struct expression_members *members,
		    const struct expression_node *node, int *order)
{
	const struct operand left = operand_of(members, node->left);
	const struct operand right = operand_of(members, node->right);

	if (left.value->type != right.value->type)
		return false;
	if (left.value->type == EXPRESSION_VALUE_STRING) {
		*order = strcmp(left.text, right.text);
		return true;
	}
	*order = (left.value->number > right.value->number) -
		 (left.value->number < right.value->number);
	return left.value->type == EXPRESSION_VALUE_NUMBER;
}

static bool matches(const struct expression_members *members,
		    const struct expression_node *node)
{
	const char *text = operand_of(members, node->left).text;

	return text && !regexec(&node->regex, text, 0, NULL, 0);
}

static bool is_true(const struct expression_members *members,
		    const struct expression_node *node)
{
	const struct expression_value *value = operand_of(members, node).value;

	switch (value->type) {
	case EXPRESSION_VALUE_BOOL:
	case EXPRESSION_VALUE_NUMBER:
		return value->number != 0;
	case EXPRESSION_VALUE_STRING:
		return value->size > 0;
	default:
		return value->type == EXPRESSION_VALUE_OTHER;
	}
}

bool expression_node_evaluate(const struct expression_node *node,
			      const struct expression_members *members)
{
	int order = 0;

	switch (node->kind) {
	case OPERATOR_OR:
		return expression_node_evaluate(node->left, members) ||
		       expression_node_evaluate(node->right, members);
	case OPERATOR_AND:
		return expression_node_evaluate(node->left, members) &&
		       expression_node_evaluate(node->right, members);
	case OPERATOR_NOT:
		return !expression_node_evaluate(node->left, members);
	case OPERATOR_EQUAL:
		return are_equal(members, node);
	case OPERATOR_DIFFERENT:
		return !are_equal(members, node);
	case OPERATOR_LESS:
		return compare(members, node, &order) && order < 0;
	case OPERATOR_LESS_OR_EQUAL:
		return compare(members, node, &order) && order <= 0;
	case OPERATOR_GREATER:
		return compare(members, node, &order) && order > 0;
	case OPERATOR_GREATER_OR_EQUAL:
		return compare(members, node, &order) && order >= 0;
	case OPERATOR_MATCHES:
		return matches(members, node);
	default:
		return is_true(members, node);
	}
}

void expression_node_free(struct expression_node *node)
{
	if (!node)
		return;
	expression_node_free(node->left);
	expression_node_free(node->right);
	if (node->is_compiled)
		regfree(&node->regex);
	free(node->text);
	free(node->plain);
	free(node);
}
