//===-- loader/image/ptx_reader.cpp - Words of PTX into declarators -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/image/ptx_reader.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

/// Bytes of a fundamental type, 0 for what is none. Opaque types are 64-bit
/// handles.
static uint64_t type_size(StringRef directive) {
  return StringSwitch<uint64_t>(directive)
      .Cases({".b8", ".u8", ".s8", ".e4m3", ".e5m2"}, 1)
      .Cases({".b16", ".u16", ".s16", ".f16", ".bf16"}, 2)
      .Cases({".b32", ".u32", ".s32", ".f32", ".f16x2", ".bf16x2", ".tf32"}, 4)
      .Cases({".b64", ".u64", ".s64", ".f64", ".texref", ".samplerref",
              ".surfref"},
             8)
      .Case(".b128", 16)
      .Default(0);
}

Error PtxReader::unexpected(const Twine &expected) {
  if (token().kind == PtxToken::Kind::bad)
    return malformed(label, "line {0}: {1}", token().line, token().text);
  if (token().kind == PtxToken::Kind::end)
    return malformed(label, "line {0}: the text ends where {1} was expected",
                     token().line, expected.str());
  return malformed(label, "line {0}: '{1}' where {2} was expected",
                   token().line, token().text.take_front(60), expected.str());
}

Error PtxReader::expect(StringRef text) {
  return accept(text) ? Error::success() : unexpected("'" + text + "'");
}

Expected<StringRef> PtxReader::word(const Twine &what) {
  if (token().kind != PtxToken::Kind::word)
    return unexpected(what);
  StringRef text = token().text;
  lexer.advance();
  return text;
}

Expected<uint64_t> PtxReader::number(const Twine &what) {
  uint64_t value = 0;
  StringRef text = token().text;
  text.consume_back("U");
  if (token().kind != PtxToken::Kind::number || text.getAsInteger(0, value))
    return unexpected(what);
  lexer.advance();
  return value;
}

void PtxReader::skip_line() {
  unsigned line = token().line;
  while (token().line == line && !token().is_last())
    lexer.advance();
}

Error PtxReader::skip_past(StringRef end) {
  while (!token().is(end)) {
    if (token().is_last())
      return unexpected("'" + end + "'");
    lexer.advance();
  }
  lexer.advance();
  return Error::success();
}

// From '{' past its '}'.
Error PtxReader::skip_block() {
  unsigned depth = 0;
  do {
    if (token().is_last())
      return unexpected("'}'");
    depth += token().is("{") ? 1 : token().is("}") ? -1 : 0;
    lexer.advance();
  } while (depth);
  return Error::success();
}

// `= { 1, 2, {3} }` or `= 5`: the number of elements at the top level.
Error PtxReader::count_elements(uint64_t &count) {
  count = 1;
  if (!token().is("{")) {
    while (!token().is(",") && !token().is(";")) {
      if (token().is_last())
        return unexpected("';'");
      lexer.advance();
    }
    return Error::success();
  }
  unsigned depth = 0;
  do {
    if (token().is_last())
      return unexpected("'}'");
    if (token().is("{") || token().is("("))
      ++depth;
    else if (token().is("}") || token().is(")"))
      --depth;
    else if (token().is(",") && depth == 1)
      ++count;
    lexer.advance();
  } while (depth);
  return Error::success();
}

// `name[2][3] = {...}` behind `.align 4 .b8`.
Expected<PtxVariable> PtxReader::declarator(uint64_t element,
                                            uint64_t alignment) {
  Expected<StringRef> name = word("a variable's name");
  if (!name)
    return name.takeError();
  PtxVariable variable{*name, element, alignment};
  bool open_ended = false;
  // `%r<9>` declares nine registers; only `.reg` has it, but it costs nothing
  // to step over.
  if (accept("<"))
    if (Error error = skip_past(">"))
      return std::move(error);
  while (accept("[")) {
    if (accept("]")) {
      open_ended = true; // sized by its initialiser or by the launch
      continue;
    }
    Expected<uint64_t> count = number("an array size");
    if (!count)
      return count.takeError();
    if (*count > MAX_SIZE ||
        variable.size > MAX_SIZE / std::max<uint64_t>(*count, 1))
      return malformed(label, "line {0}: variable '{1}' is too large",
                       token().line, *name);
    variable.size *= *count;
    if (Error error = expect("]"))
      return std::move(error);
  }
  uint64_t elements = 0;
  if (accept("="))
    if (Error error = count_elements(elements))
      return std::move(error);
  if (open_ended)
    variable.size = elements && variable.size <= MAX_SIZE / elements
                        ? variable.size * elements
                        : 0;
  return variable;
}

// From behind the state space to the ';'.
Error PtxReader::variables(function_ref<Error(const PtxVariable &)> visit) {
  uint64_t element = 0, lanes = 1, alignment = 0;
  while (token().kind == PtxToken::Kind::directive) {
    StringRef directive = token().text;
    unsigned line = token().line;
    lexer.advance();
    if (directive == ".align") {
      Expected<uint64_t> bytes = number("an alignment");
      if (!bytes)
        return bytes.takeError();
      if (!isPowerOf2_64(*bytes) || *bytes > MAX_SIZE)
        return malformed(label, "line {0}: alignment {1} is no power of two",
                         line, *bytes);
      alignment = *bytes;
    } else if (directive == ".v2" || directive == ".v4" || directive == ".v8") {
      lanes = directive[2] - '0';
    } else if (directive == ".attribute") {
      if (Error error = skip_past(")"))
        return error;
    } else if (uint64_t size = type_size(directive)) {
      element = size;
    } // else `.ptr`, `.global` and the like, which change no size
  }
  if (!element)
    return unexpected("a type");
  element *= lanes;
  do {
    Expected<PtxVariable> variable =
        declarator(element, std::max(alignment, element));
    if (!variable)
      return variable.takeError();
    if (Error error = visit(*variable))
      return error;
  } while (accept(","));
  return Error::success();
}

// From '(' past ')'.
Error PtxReader::parameters(std::vector<Argument> *arguments, uint64_t &size) {
  if (Error error = expect("("))
    return error;
  if (accept(")"))
    return Error::success();
  do {
    // `.param .align 8 .b8 p[16]`, `.param .u64 .ptr .global .align 4 p`;
    // device functions have `.reg .b32 %r` too.
    uint64_t element = 0, alignment = 0;
    bool pointer = false;
    while (token().kind == PtxToken::Kind::directive) {
      StringRef directive = token().text;
      lexer.advance();
      if (directive == ".ptr") {
        pointer = true; // a following .align is the pointee's
      } else if (directive == ".align") {
        Expected<uint64_t> bytes = number("an alignment");
        if (!bytes)
          return bytes.takeError();
        if (!isPowerOf2_64(*bytes) || *bytes > MAX_SIZE)
          return malformed(label, "line {0}: alignment {1} is no power of two",
                           token().line, *bytes);
        if (!pointer)
          alignment = *bytes;
      } else if (uint64_t bytes = type_size(directive)) {
        element = bytes;
      } else if (directive == ".pred") {
        element = 1;
      }
    }
    if (!element)
      return unexpected("a parameter");
    Expected<PtxVariable> parameter =
        declarator(element, std::max(alignment, element));
    if (!parameter)
      return parameter.takeError();
    size = alignTo(size, parameter->alignment);
    if (arguments) {
      if (!in_range(size, parameter->size, UINT32_MAX))
        return malformed(label, "line {0}: parameter '{1}' ends beyond 4 GiB",
                         token().line, parameter->name);
      arguments->push_back(
          {parameter->name.str(), uint32_t(size), uint32_t(parameter->size)});
    }
    size = std::min(size + parameter->size, MAX_SIZE);
  } while (accept(","));
  return expect(")");
}

} // namespace gpuexec::parsing
