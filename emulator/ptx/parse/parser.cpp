//===-- emulator/ptx/parse/parser.cpp - Directives of a module ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuexec::ptx {

Parser::Parser(StringRef text, Module &module) : text(text), module(module) {}

bool Parser::fail(const Twine &what) {
  if (error.empty())
    error = (Twine(text.line()) + ": error: " + what).str();
  return false;
}

bool Parser::expect(char c) {
  if (text.accept(c))
    return true;
  const StringRef found = text.excerpt();
  return fail("'" + Twine(c) + "' expected" +
              (found.empty() ? "" : " before '" + found + "'"));
}

bool Parser::parse_version() {
  Number number;
  // "7.8" is read as text: 7.10 is not 7.1.
  const StringRef whole =
      text.excerpt().take_while([](char c) { return isDigit(c) || c == '.'; });
  if (!text.number(number) || number.kind != Number::Kind::real64 ||
      whole.split('.').first.getAsInteger(10, module.version_major) ||
      whole.split('.').second.getAsInteger(10, module.version_minor))
    return fail("a version such as 7.8 expected behind .version");
  return true;
}

bool Parser::parse_target() {
  do {
    const StringRef name = text.word();
    if (name.empty())
      return fail("a name expected in .target");
    if (module.target.empty())
      module.target = name;
  } while (text.accept(','));
  return true;
}

bool Parser::parse_file() {
  int64_t number;
  File file{};
  if (!parse_integer(number))
    return false;
  if (!text.string(file.name))
    return fail("a name in quotes expected in .file");
  file.number = number;
  for (unsigned i = 0; i < 2 && text.accept(','); ++i) // time and size
    if (!parse_integer(number))
      return false;
  module.files.push_back(file);
  return true;
}

bool Parser::parse_alias() {
  const StringRef alias = text.word();
  if (alias.empty() || !expect(','))
    return fail("a name expected in .alias");
  const StringRef function = text.word();
  if (function.empty())
    return fail("a function's name expected in .alias");
  module.aliases.emplace_back(alias, function);
  return finish();
}

/// Debug information of the sections is not read.
bool Parser::parse_section() {
  if (text.dot_word().empty() && text.word().empty())
    return fail("a name expected in .section");
  if (text.peek() != '{' || !text.skip_braces())
    return fail("the braces of a .section do not close");
  return true;
}

/// A variable or function with its linkage, or without.
bool Parser::parse_linked(StringRef directive) {
  Variable variable;
  Function function;
  function.line = variable.line = text.line();
  for (;; directive = text.dot_word()) {
    if (directive == "extern")
      function.is_extern = variable.is_extern = true;
    else if (directive == "visible")
      function.is_visible = variable.is_visible = true;
    else if (directive == "weak")
      function.is_weak = variable.is_weak = true;
    else if (directive == "common")
      variable.is_common = true;
    else
      break;
  }
  if (directive == "entry" || directive == "func") {
    function.is_kernel = directive == "entry";
    if (!parse_function(function))
      return false;
    module.functions.push_back(function);
    return true;
  }
  const std::optional<Space> space = space_named(directive);
  if (!space || *space == Space::param)
    return fail("unknown directive ." + directive);
  variable.space = *space;
  Variables found;
  if (!parse_variables(variable, found) || !finish())
    return false;
  if (*space != Space::reg && *space != Space::sreg)
    append_range(module.variables, found);
  return true;
}

bool Parser::parse_directive(StringRef directive) {
  if (directive == "version")
    return parse_version();
  if (directive == "target")
    return parse_target();
  if (directive == "file")
    return parse_file();
  if (directive == "alias")
    return parse_alias();
  if (directive == "section")
    return parse_section();
  if (directive == "address_size") {
    int64_t size;
    if (!parse_integer(size))
      return false;
    module.address_size = size;
    return size == 64 || fail("only .address_size 64 is supported");
  }
  if (directive == "pragma") {
    StringRef pragma;
    return (text.string(pragma) || fail("a text in quotes expected")) &&
           finish();
  }
  if (directive == "loc") { // outside of functions it means nothing
    text.skip_line();
    return true;
  }
  return parse_linked(directive);
}

bool Parser::parse_module() {
  while (!text.at_end()) {
    if (text.accept(';'))
      continue;
    const StringRef directive = text.dot_word();
    if (directive.empty() && text.accept('@', '@')) { // @@DWARF
      text.skip_line();
      continue;
    }
    if (directive.empty())
      return fail("a directive expected before '" + text.excerpt() + "'");
    if (!parse_directive(directive))
      return false;
  }
  if (!module.version_major)
    return fail("it has no .version");
  return true;
}

Expected<Module> parse(StringRef text, StringRef name) {
  Module module;
  module.memory = std::make_unique<BumpPtrAllocator>();
  // Drivers take a text that ends with zeros.
  Parser parser(text.rtrim('\0'), module);
  if (!parser.parse_module())
    return createStringError(name + ":" + parser.message());
  return module;
}

} // namespace gpuexec::ptx
