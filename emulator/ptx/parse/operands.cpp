//===-- emulator/ptx/parse/operands.cpp - Operands of instructions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuexec::ptx {

/// `+4`, `-4` or `+-4` behind a name, or nothing.
bool Parser::parse_offset(Operand &operand) {
  while (text.peek() == '+' || text.peek() == '-') {
    const bool minus = text.accept('-');
    if (!minus)
      text.accept('+');
    int64_t offset;
    if (!parse_integer(offset))
      return false;
    operand.integer = minus ? uint64_t(operand.integer) - uint64_t(offset)
                            : uint64_t(operand.integer) + uint64_t(offset);
  }
  return true;
}

/// `[name+4]`, `[8]` or, of textures, `[name, {x, y}]`: a list then.
bool Parser::parse_address(Operand &operand, unsigned depth) {
  operand.kind = Operand::Kind::address;
  operand.name = text.word();
  if (operand.name.empty()) {
    if (!parse_constant(operand, depth))
      return false;
    if (operand.kind != Operand::Kind::integer)
      return fail("an address is no integer");
    operand.kind = Operand::Kind::address;
  } else if (!parse_offset(operand)) {
    return false;
  }
  if (text.accept(']'))
    return true;
  SmallVector<Operand, 4> parts = {operand};
  while (text.accept(',')) {
    parts.emplace_back();
    if (!parse_operand(parts.back(), depth + 1))
      return false;
  }
  operand = Operand();
  operand.kind = Operand::Kind::list;
  operand.parts = keep<Operand>(parts);
  return expect(']');
}

bool Parser::parse_list(Operand &operand, char close, unsigned depth) {
  operand.kind = Operand::Kind::list;
  SmallVector<Operand, 8> parts;
  while (!text.accept(close)) {
    if (!parts.empty() && !expect(','))
      return false;
    parts.emplace_back();
    if (!parse_operand(parts.back(), depth + 1))
      return false;
  }
  operand.parts = keep<Operand>(parts);
  return true;
}

bool Parser::parse_simple_operand(Operand &operand, unsigned depth) {
  if (depth == MOST_DEPTH)
    return fail("operands are nested too deeply");
  if (text.accept('['))
    return parse_address(operand, depth);
  if (text.accept('{'))
    return parse_list(operand, '}', depth);
  if (text.accept('('))
    return parse_list(operand, ')', depth);
  StringRef name = text.word();
  if (name.empty()) {
    const bool minus = text.is_single('-');
    if (!minus && text.peek() != '!')
      return parse_constant(operand, depth);
    // `!%p` and `-%r`, but -1 is a constant.
    if (!text.is_before_word())
      return parse_constant(operand, depth);
    text.accept(minus ? '-' : '!');
    operand.negated = true;
    name = text.word();
  }
  if (name == "WARP_SZ") {
    operand.kind = Operand::Kind::integer;
    operand.integer = 32;
    return true;
  }
  if (name == "_") {
    operand.kind = Operand::Kind::sink;
    return true;
  }
  operand.name = name;
  if (const StringRef component = text.modifier(); !component.empty()) {
    static constexpr StringRef LETTERS = "xyzwrgba";
    const size_t at = LETTERS.find(component[0]);
    if (component.size() != 1 || at == StringRef::npos)
      return fail("unknown component ." + component);
    operand.component = LETTERS[at % 4];
  }
  return parse_offset(operand);
}

bool Parser::parse_operand(Operand &operand, unsigned depth) {
  if (!parse_simple_operand(operand, depth))
    return false;
  if (!text.is_single('|'))
    return true;
  text.accept('|');
  Operand parts[2] = {operand, {}};
  if (!parse_simple_operand(parts[1], depth))
    return false;
  operand = Operand();
  operand.kind = Operand::Kind::pair;
  operand.parts = keep<Operand>(parts);
  return true;
}

} // namespace gpuexec::ptx
