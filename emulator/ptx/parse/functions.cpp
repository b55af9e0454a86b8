//===-- emulator/ptx/parse/functions.cpp - .entry and .func ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuexec::ptx {

/// `(.param .b32 a, .reg .u32 b)`.
bool Parser::parse_parameters(ArrayRef<Variable> &parameters) {
  Variables found;
  if (!expect('('))
    return false;
  while (!text.accept(')')) {
    if (!found.empty() && !expect(','))
      return false;
    Variable common;
    common.line = text.line();
    const StringRef directive = text.dot_word();
    const std::optional<Space> space = space_named(directive);
    if (space != Space::param && space != Space::reg)
      return fail(".param or .reg expected in a list of parameters");
    common.space = *space;
    if (!parse_type(common) || !parse_name(common, /*may_lack_name=*/true))
      return false;
    found.push_back(common);
  }
  parameters = keep<Variable>(found);
  return true;
}

/// One to three numbers.
bool Parser::parse_numbers(MutableArrayRef<uint32_t> numbers) {
  for (uint32_t &number : numbers) {
    int64_t value;
    if (!parse_integer(value))
      return false;
    if (value < 0 || value > UINT32_MAX)
      return fail("a number is too large");
    number = value;
    if (!text.accept(','))
      break;
  }
  return true;
}

/// A directive between the parameters and the body.
bool Parser::parse_performance(Function &function, StringRef directive) {
  uint32_t ignored[3] = {};
  if (directive == "maxntid" || directive == "reqntid") {
    auto &threads = directive == "maxntid" ? function.max_threads
                                           : function.required_threads;
    threads[0] = threads[1] = threads[2] = 1;
    return parse_numbers(threads);
  }
  if (directive == "minnctapersm")
    return parse_numbers({&function.min_blocks, 1});
  if (directive == "noreturn") {
    function.is_noreturn = true;
    return true;
  }
  if (directive == "pragma") {
    StringRef pragma;
    return text.string(pragma) || fail("a text in quotes expected");
  }
  const bool has_numbers = StringSwitch<bool>(directive)
                               .Case("maxnreg", true)
                               .Case("maxnctapersm", true)
                               .Case("reqnctapercluster", true)
                               .Case("maxclusterrank", true)
                               .Default(false);
  if (has_numbers)
    return parse_numbers(ignored);
  const bool is_known = StringSwitch<bool>(directive)
                            .Case("explicitcluster", true)
                            .Case("blocksareclusters", true)
                            .Case("abi_preserve", true)
                            .Case("abi_preserve_control", true)
                            .Default(false);
  if (!is_known)
    return fail("unknown directive ." + directive);
  return !llvm::isDigit(text.peek()) || parse_numbers(ignored);
}

bool Parser::parse_function(Function &function) {
  if (!function.is_kernel && text.peek() == '(' &&
      !parse_parameters(function.results))
    return false;
  function.name = text.word();
  if (function.name.empty())
    return fail("a function's name expected before '" + text.excerpt() + "'");
  if (text.peek() == '(' && !parse_parameters(function.parameters))
    return false;
  for (;;) {
    if (text.accept(';'))
      return true;
    if (text.peek() == '{')
      break;
    const StringRef directive = text.dot_word();
    if (directive.empty())
      return fail("'{' or ';' expected before '" + text.excerpt() + "'");
    if (!parse_performance(function, directive))
      return false;
  }
  auto *body = make<Block>();
  function.body = body;
  return parse_block(*body, 0);
}

/// `.callprototype (result) _ (parameters);` behind the directive.
bool Parser::parse_prototype(Prototype &prototype) {
  if (text.peek() == '(' && !parse_parameters(prototype.results))
    return false;
  if (text.word().empty())
    return fail("_ expected in .callprototype");
  if (text.peek() == '(' && !parse_parameters(prototype.parameters))
    return false;
  while (!text.accept(';')) {
    const StringRef directive = text.dot_word();
    if (directive == "noreturn")
      prototype.is_noreturn = true;
    else if (directive != "abi_preserve" && directive != "abi_preserve_control")
      return fail("';' expected before '" + text.excerpt() + "'");
    else if (uint32_t ignored[3]; !parse_numbers(ignored))
      return false;
  }
  return true;
}

} // namespace gpuexec::ptx
