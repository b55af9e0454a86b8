//===-- emulator/ptx/parse/expression.cpp - Expressions of constants ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

struct Operator {
  char first, second; ///< second: 0 for an operator of one character
  unsigned precedence;
};

/// Longer ones come first.
constexpr Operator OPERATORS[] = {
    {'|', '|', 1}, {'&', '&', 2}, {'=', '=', 6}, {'!', '=', 6}, {'<', '<', 8},
    {'>', '>', 8}, {'<', '=', 7}, {'>', '=', 7}, {'|', 0, 3},   {'^', 0, 4},
    {'&', 0, 5},   {'<', 0, 7},   {'>', 0, 7},   {'+', 0, 9},   {'-', 0, 9},
    {'*', 0, 10},  {'/', 0, 10},  {'%', 0, 10}};

/// Integers have 64 bits and wrap. False for a division by zero.
bool compute(const Operator &op, uint64_t left, uint64_t right,
             uint64_t &result) {
  const int64_t a = left, b = right;
  switch (op.first) {
  case '|':
    result = op.second ? a || b : left | right;
    return true;
  case '&':
    result = op.second ? a && b : left & right;
    return true;
  case '^':
    result = left ^ right;
    return true;
  case '=':
    result = a == b;
    return true;
  case '!':
    result = a != b;
    return true;
  case '<':
    result = op.second == '<'   ? (right > 63 ? 0 : left << right)
             : op.second == '=' ? a <= b
                                : a < b;
    return true;
  case '>':
    result = op.second == '>'   ? a >> std::min<uint64_t>(right, 63)
             : op.second == '=' ? a >= b
                                : a > b;
    return true;
  case '+':
    result = left + right;
    return true;
  case '-':
    result = left - right;
    return true;
  case '*':
    result = left * right;
    return true;
  default:
    if (!b || (a == INT64_MIN && b == -1))
      return false;
    result = op.first == '/' ? a / b : a % b;
    return true;
  }
}

} // namespace

bool Parser::parse_unary(Number &value, unsigned depth) {
  if (depth == MOST_DEPTH)
    return fail("an expression is nested too deeply");
  if (text.accept('-')) {
    if (!parse_unary(value, depth + 1))
      return false;
    if (value.kind == Number::Kind::real32)
      value.value ^= uint64_t(1) << 31;
    else if (value.kind == Number::Kind::real64)
      value.value ^= uint64_t(1) << 63;
    else
      value.value = -value.value;
    return true;
  }
  if (text.accept('+'))
    return parse_unary(value, depth + 1);
  if (text.peek() == '~' || text.peek() == '!') {
    const bool logical = text.accept('!');
    if (!logical)
      text.accept('~');
    if (!parse_unary(value, depth + 1))
      return false;
    value.value = logical ? !value.value : ~value.value;
    return value.kind == Number::Kind::integer ||
           fail("an integer expected behind ~ or !");
  }
  if (text.accept('(')) {
    const StringRef cast = text.dot_word(); // (.s64) 5
    if (!cast.empty())
      return (cast == "s64" || cast == "u64" || fail("unknown cast")) &&
             expect(')') && parse_unary(value, depth + 1);
    return parse_unary(value, depth + 1) && parse_binary(value, 1, depth + 1) &&
           expect(')');
  }
  if (text.number(value))
    return true;
  if (text.excerpt().starts_with("WARP_SZ")) {
    text.word();
    value = Number{Number::Kind::integer, 32};
    return true;
  }
  return fail("a number expected before '" + text.excerpt() + "'");
}

/// Continues behind `left` with operators of at least the given precedence.
bool Parser::parse_binary(Number &left, unsigned least, unsigned depth) {
  if (depth == MOST_DEPTH)
    return fail("an expression is nested too deeply");
  for (;;) {
    const Operator *op = find_if(OPERATORS, [&](const Operator &each) {
      return each.precedence >= least &&
             (each.second
                  ? text.accept(each.first, each.second)
                  : text.is_single(each.first) && text.accept(each.first));
    });
    if (op == std::end(OPERATORS))
      return true;
    Number right;
    if (!parse_unary(right, depth + 1) ||
        !parse_binary(right, op->precedence + 1, depth + 1))
      return false;
    if (left.kind != Number::Kind::integer ||
        right.kind != Number::Kind::integer)
      return fail("arithmetic of real constants is not supported");
    if (!compute(*op, left.value, right.value, left.value))
      return fail("a division of constants has no result");
  }
}

/// A number, or an expression of numbers.
bool Parser::parse_constant(Operand &value, unsigned depth) {
  Number number;
  if (!parse_unary(number, depth) || !parse_binary(number, 1, depth))
    return false;
  value.kind = number.kind == Number::Kind::integer  ? Operand::Kind::integer
               : number.kind == Number::Kind::real32 ? Operand::Kind::real32
                                                     : Operand::Kind::real64;
  value.integer = number.value;
  return true;
}

bool Parser::parse_integer(int64_t &value) {
  Number number;
  // No binary operators: `%r<5>` and `.maxntid 1, 2` end there.
  if (!parse_unary(number, 0))
    return false;
  if (number.kind != Number::Kind::integer)
    return fail("an integer expected");
  value = number.value;
  return true;
}

} // namespace gpuexec::ptx
