//===-- emulator/ptx/parse/statements.cpp - Bodies of functions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"

using namespace llvm;

namespace gpuexec::ptx {

/// `@%p` or `@!%p` behind the sign.
bool Parser::parse_guard(Instruction &instruction) {
  instruction.guard_negated = text.accept('!');
  instruction.guard = text.word();
  return !instruction.guard.empty() || fail("a predicate expected behind '@'");
}

bool Parser::parse_instruction(Instruction &instruction, StringRef opcode) {
  instruction.opcode = opcode;
  SmallVector<StringRef, 8> modifiers;
  for (StringRef each = text.modifier(); !each.empty();
       each = text.dot_word()) // `add .f32` is the same
    modifiers.push_back(each);
  instruction.modifiers = keep<StringRef>(modifiers);
  SmallVector<Operand, 6> operands;
  while (!text.accept(';')) {
    // A comma is missing between `[a]` and `, b` of nothing that is known.
    if (!operands.empty() && !expect(','))
      return false;
    operands.emplace_back();
    if (!parse_operand(operands.back(), 0))
      return false;
  }
  instruction.operands = keep<Operand>(operands);
  return true;
}

/// `.loc 1 20 5, function_name L, inlined_at 1 7 3` behind the directive.
bool Parser::parse_location(SmallVectorImpl<Statement> &found) {
  auto *location = make<Location>();
  const uint32_t line = text.line();
  uint32_t *fields[] = {&location->file, &location->line, &location->column};
  for (uint32_t *field : fields) {
    int64_t value;
    if (!parse_integer(value))
      return false;
    *field = value;
  }
  if (text.line() == line && text.peek() == ',')
    text.skip_line();
  Statement statement;
  statement.kind = Statement::Kind::location;
  statement.line = line;
  statement.location = location;
  found.push_back(statement);
  return true;
}

/// A directive in a body: variables, .loc, .pragma and what only debuggers
/// read.
bool Parser::parse_body_directive(SmallVectorImpl<Statement> &found) {
  const uint32_t line = text.line();
  const StringRef directive = text.dot_word();
  if (directive == "loc")
    return parse_location(found);
  if (directive == "pragma") {
    StringRef pragma;
    return (text.string(pragma) || fail("a text in quotes expected")) &&
           finish();
  }
  if (directive == "file")
    return parse_file();
  if (directive == "section")
    return parse_section();
  Variable common;
  common.line = line;
  if (directive == "visible" || directive == "extern") {
    common.is_extern = directive == "extern";
    common.is_visible = !common.is_extern;
  }
  const std::optional<Space> space = space_named(
      common.is_extern || common.is_visible ? text.dot_word() : directive);
  if (!space)
    return fail("unknown directive ." + directive);
  common.space = *space;
  Variables variables;
  if (!parse_variables(common, variables) || !finish())
    return false;
  for (const Variable &each : keep<Variable>(variables)) {
    Statement statement;
    statement.kind = Statement::Kind::variable;
    statement.line = each.line;
    statement.variable = &each;
    found.push_back(statement);
  }
  return true;
}

/// What stands behind `label:`: a table's directive, or any statement, which is
/// not taken.
bool Parser::parse_labelled(SmallVectorImpl<Statement> &found,
                            StringRef label) {
  Statement statement;
  statement.line = text.line();
  statement.label = label;
  statement.kind = Statement::Kind::label;
  if (text.peek() == '.') {
    const StringRef rest = text.excerpt();
    if (rest.starts_with(".callprototype")) {
      text.dot_word();
      auto *prototype = make<Prototype>();
      statement.kind = Statement::Kind::prototype;
      statement.prototype = prototype;
      if (!parse_prototype(*prototype))
        return false;
    } else if (rest.starts_with(".branchtargets") ||
               rest.starts_with(".calltargets")) {
      const bool branches = text.dot_word() == "branchtargets";
      SmallVector<StringRef, 16> targets;
      do {
        targets.push_back(text.word());
        if (targets.back().empty())
          return fail("a label expected before '" + text.excerpt() + "'");
      } while (text.accept(','));
      if (!finish())
        return false;
      if (!branches)
        return true;
      auto *kept = make<ArrayRef<StringRef>>();
      *kept = keep<StringRef>(targets);
      statement.kind = Statement::Kind::branch_targets;
      statement.targets = kept;
    }
  }
  found.push_back(statement);
  return true;
}

bool Parser::parse_statement(SmallVectorImpl<Statement> &found,
                             unsigned depth) {
  Statement statement;
  const char next = text.peek();
  if (next == ';')
    return text.accept(';');
  if (next == '.')
    return parse_body_directive(found);
  statement.line = text.line();
  if (next == '{') {
    auto *block = make<Block>();
    statement.kind = Statement::Kind::block;
    statement.block = block;
    found.push_back(statement);
    return parse_block(*block, depth + 1);
  }
  Instruction guarded;
  const bool has_guard = text.accept('@');
  if (has_guard && !parse_guard(guarded))
    return false;
  const StringRef word = text.word();
  if (word.empty())
    return fail("an instruction expected before '" + text.excerpt() + "'");
  if (!has_guard && text.is_single(':') && text.accept(':'))
    return parse_labelled(found, word);
  auto *instruction = make<Instruction>();
  *instruction = guarded;
  instruction->line = statement.line;
  statement.instruction = instruction;
  found.push_back(statement);
  return parse_instruction(*instruction, word);
}

/// `{ ... }`.
bool Parser::parse_block(Block &block, unsigned depth) {
  if (depth == MOST_DEPTH)
    return fail("blocks are nested too deeply");
  if (!expect('{'))
    return false;
  SmallVector<Statement, 0> statements;
  while (!text.accept('}')) {
    if (text.at_end())
      return fail("a '}' is missing at the end");
    if (!parse_statement(statements, depth))
      return false;
  }
  block.statements = keep<Statement>(statements);
  return true;
}

} // namespace gpuexec::ptx
