//===-- emulator/ptx/parse/parser.h - PTX text to its tree -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_PARSE_PARSER_H
#define GPUEXEC_EMULATOR_PTX_PARSE_PARSER_H

#include "emulator/ptx/parse/lexer.h"
#include "emulator/ptx/parse/syntax.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace gpuexec::ptx {

/// Parses a text. Functions return false after an error, which is kept.
class Parser {
public:
  Parser(llvm::StringRef text, Module &module);
  bool parse_module(); // parser.cpp
  const std::string &message() const { return error; }

private:
  using Variables = llvm::SmallVector<Variable, 8>;

  // parser.cpp
  bool parse_directive(llvm::StringRef directive);
  bool parse_version();
  bool parse_target();
  bool parse_file();
  bool parse_alias();
  bool parse_section();
  bool parse_linked(llvm::StringRef linkage);

  // functions.cpp
  bool parse_function(Function &function);
  bool parse_parameters(llvm::ArrayRef<Variable> &parameters);
  bool parse_prototype(Prototype &prototype);
  bool parse_performance(Function &function, llvm::StringRef directive);
  bool parse_numbers(llvm::MutableArrayRef<uint32_t> numbers);

  // variables.cpp
  /// `.align 4 .b32 a, b = 5` behind the space. Adds each name's variable.
  bool parse_variables(Variable common, Variables &found);
  bool parse_type(Variable &variable);
  bool parse_name(Variable &variable, bool may_lack_name);
  bool parse_dimensions(Variable &variable);
  bool parse_initializer(Variable &variable);
  bool parse_values(llvm::SmallVectorImpl<Operand> &values, unsigned depth);
  bool parse_value(Operand &value, unsigned depth);
  bool parse_mask(Operand &value, unsigned depth);

  // expression.cpp: of constants
  bool parse_constant(Operand &value, unsigned depth);
  bool parse_integer(int64_t &value);
  bool parse_binary(Number &left, unsigned least, unsigned depth);
  bool parse_unary(Number &value, unsigned depth);

  // statements.cpp
  bool parse_block(Block &block, unsigned depth);
  bool parse_statement(llvm::SmallVectorImpl<Statement> &found, unsigned depth);
  bool parse_body_directive(llvm::SmallVectorImpl<Statement> &found);
  bool parse_labelled(llvm::SmallVectorImpl<Statement> &found,
                      llvm::StringRef label);
  bool parse_location(llvm::SmallVectorImpl<Statement> &found);
  bool parse_instruction(Instruction &instruction, llvm::StringRef opcode);
  bool parse_guard(Instruction &instruction);

  // operands.cpp
  bool parse_operand(Operand &operand, unsigned depth);
  bool parse_simple_operand(Operand &operand, unsigned depth);
  bool parse_list(Operand &operand, char close, unsigned depth);
  bool parse_address(Operand &operand, unsigned depth);
  bool parse_offset(Operand &operand);

  bool fail(const llvm::Twine &what);
  bool expect(char c);
  /// Takes `; `.
  bool finish() { return expect(';'); }

  template <typename T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> values) {
    return values.copy(*module.memory);
  }
  template <typename T> T *make() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (module.memory->Allocate<T>()) T();
  }

  Lexer text;
  Module &module;
  std::string error;
};

/// The most braces, brackets and parentheses within each other.
constexpr unsigned MOST_DEPTH = 64;

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_PARSE_PARSER_H
