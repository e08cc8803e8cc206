/* SPDX-License-Identifier: MIT */
/* Operands of an expression: members of the record, strings, numbers, words. */
#ifndef NFTRACE_NATIVE_EXPRESSION_OPERAND_H
#define NFTRACE_NATIVE_EXPRESSION_OPERAND_H

#include "expression/parser.h"

/*
 * The operand that follows: an OPERATOR_MEMBER or an OPERATOR_LITERAL. Returns
 * NULL, and has said what is wrong, if none does. The caller frees it with
 * expression_node_free().
 */
struct expression_node *
expression_operand_parse(struct expression_parser *parser);

#endif /* NFTRACE_NATIVE_EXPRESSION_OPERAND_H */
