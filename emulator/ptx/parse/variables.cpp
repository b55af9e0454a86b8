//===-- emulator/ptx/parse/variables.cpp - Declarations of variables ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::ptx {

/// The most bytes of a variable.
constexpr uint64_t MOST_BYTES = uint64_t(1) << 40;

/// `.align 4 .v2 .f32`, and of parameters `.ptr .global .align 4`.
bool Parser::parse_type(Variable &variable) {
  for (;;) {
    const StringRef word = text.dot_word();
    if (word.empty())
      break;
    if (word == "align") {
      int64_t value;
      if (!parse_integer(value))
        return false;
      if (value <= 0 || value > 1 << 16 || !isPowerOf2_64(value))
        return fail("an alignment is no power of two up to 65536");
      // That of a pointer parameter is what it points to.
      if (!variable.is_pointer)
        variable.alignment = value;
    } else if (word == "ptr") {
      variable.is_pointer = true;
    } else if (word == "attribute") {
      Number ignored;
      if (!expect('('))
        return false;
      while (!text.accept(')'))
        if (text.at_end() ||
            (text.dot_word().empty() && text.word().empty() &&
             !text.accept(',') && !text.accept('(') && !text.number(ignored)))
          return fail("an attribute is not understood");
    } else if (word == "v2" || word == "v4" || word == "v8") {
      variable.vector = word[1] - '0';
    } else if (std::optional<Type> type = type_named(word)) {
      variable.type = *type;
    } else if (!space_named(word) || !variable.is_pointer) {
      return fail("unknown type ." + word);
    }
  }
  return variable.type != Type::none || fail("a type expected");
}

bool Parser::parse_dimensions(Variable &variable) {
  SmallVector<uint64_t, 4> dimensions;
  uint64_t bytes = variable.bytes();
  while (text.accept('[')) {
    int64_t count = 0;
    if (text.peek() != ']' && !parse_integer(count))
      return false;
    if (!expect(']'))
      return false;
    if (count < 0 || (count && bytes > MOST_BYTES / count) ||
        dimensions.size() == MOST_DEPTH)
      return fail("'" + variable.name + "' is too large");
    bytes *= std::max<int64_t>(count, 1);
    dimensions.push_back(count);
  }
  variable.dimensions = keep<uint64_t>(dimensions);
  return true;
}

/// `name`, `name<27>` or `name[4][2]`.
bool Parser::parse_name(Variable &variable, bool may_lack_name) {
  variable.name = text.word();
  if (variable.name.empty() && !may_lack_name)
    return fail("a name expected before '" + text.excerpt() + "'");
  if (text.accept('<')) {
    int64_t count;
    if (!parse_integer(count) || !expect('>'))
      return false;
    if (count < 0 || count > UINT32_MAX)
      return fail("too many registers");
    variable.register_count = count;
    variable.is_group = true;
  }
  return parse_dimensions(variable);
}

/// `0xFF00(address)`: one byte of an address; the mask was taken.
bool Parser::parse_mask(Operand &value, unsigned depth) {
  if (value.kind != Operand::Kind::integer || depth == MOST_DEPTH)
    return fail("a mask is no integer");
  Operand parts[2] = {value, {}};
  if (!expect('(') || !parse_value(parts[1], depth + 1) || !expect(')'))
    return false;
  value = Operand();
  value.kind = Operand::Kind::list;
  value.name = "mask";
  value.parts = keep<Operand>(parts);
  return true;
}

/// One value of an initialiser.
bool Parser::parse_value(Operand &value, unsigned depth) {
  if (text.peek() == '"')
    return fail("texts are not supported in initialisers");
  StringRef name = text.word();
  if (name.empty())
    return parse_constant(value, depth) &&
           (text.peek() != '(' || parse_mask(value, depth));
  if (name == "generic" && text.accept('(')) {
    Operand inner;
    if (depth == MOST_DEPTH || !parse_value(inner, depth + 1) || !expect(')'))
      return fail("a variable's name expected in generic()");
    value.kind = Operand::Kind::list;
    value.name = name;
    value.parts = keep<Operand>(inner);
    if (text.peek() != '+' && text.peek() != '-')
      return true;
    return parse_offset(const_cast<Operand &>(value.parts[0]));
  }
  value.kind = Operand::Kind::address;
  value.name = name;
  return parse_offset(value);
}

/// `{1, 2, {3, 4}}`, flattened.
bool Parser::parse_values(SmallVectorImpl<Operand> &values, unsigned depth) {
  if (depth == MOST_DEPTH)
    return fail("braces are nested too deeply");
  while (!text.accept('}')) {
    if (text.accept('{')) {
      if (!parse_values(values, depth + 1))
        return false;
    } else {
      Operand value;
      if (!parse_value(value, 0))
        return false;
      values.push_back(value);
    }
    if (!text.accept(',') && text.peek() != '}')
      return expect('}');
  }
  return true;
}

bool Parser::parse_initializer(Variable &variable) {
  SmallVector<Operand, 16> values;
  variable.has_initializer = true;
  if (text.accept('{')) {
    if (!parse_values(values, 0))
      return false;
  } else {
    values.emplace_back();
    if (!parse_value(values.back(), 0))
      return false;
  }
  // `x[] = {1, 2}` has as many elements as values.
  if (variable.is_array() && variable.dimensions[0] == 0) {
    auto dimensions = const_cast<uint64_t *>(variable.dimensions.data());
    dimensions[0] = 1;
    const uint64_t row = variable.elements() * variable.vector;
    dimensions[0] = row ? divideCeil(values.size(), row) : 0;
  }
  if (values.size() > variable.elements() * variable.vector)
    return fail("'" + variable.name + "' has too many initial values");
  variable.initializer = keep<Operand>(values);
  return true;
}

bool Parser::parse_variables(Variable common, Variables &found) {
  if (!parse_type(common))
    return false;
  do {
    Variable variable = common;
    variable.line = text.line();
    if (!parse_name(variable, /*may_lack_name=*/false))
      return false;
    if (text.accept('=') && !parse_initializer(variable))
      return false;
    found.push_back(variable);
  } while (text.accept(','));
  return true;
}

} // namespace gpuexec::ptx
