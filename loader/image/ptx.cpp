//===-- loader/image/ptx.cpp - Declarations of PTX text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what PTX declares (PTX ISA, "Directives" and "State Spaces, Types, and
// Variables"): version, target, kernels with their parameters, variables with
// their sizes. Instructions are stepped over: the driver's compiler judges
// them. Registers, stack and code size are that compiler's choice, so they stay
// empty.

#include "loader/image/contents.h"
#include "loader/image/ptx_reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

namespace {

/// What a function's body showed: enough to add up the shared memory that a
/// kernel reaches.
struct Body {
  uint64_t shared_size = 0;
  SmallVector<StringRef, 8> uses; // functions and file-scope shared variables
};

class PtxParser : PtxReader {
public:
  using PtxReader::PtxReader;
  Error parse(ImageContents &image);

private:
  Error version();
  Error target();
  Error address_size();
  Error declaration();
  Error next_module();
  Error file_scope_variables(bool visible, bool external);
  Error function(bool is_kernel, bool visible, bool external);
  Error limits(Kernel &kernel, bool &has_body);
  Error body(Body &body);
  uint64_t reachable_shared(StringRef function) const;

  ImageContents *image = nullptr;
  StringMap<uint64_t> shared; // file-scope shared variables
  StringMap<Body> bodies;
  StringSet<> function_names;
  StringSet<> defined; // in this module
};

Error PtxParser::version() {
  auto [major, minor] = token().text.split('.');
  unsigned major_number = 0, minor_number = 0;
  if (token().kind != PtxToken::Kind::number ||
      major.getAsInteger(10, major_number) ||
      minor.getAsInteger(10, minor_number) || major_number > 1000 ||
      minor_number > 9)
    return unexpected("a version such as 7.0");
  image->abi_version = major_number * 10 + minor_number;
  lexer.advance();
  return Error::success();
}

Error PtxParser::target() {
  do {
    StringRef text = token().text;
    if (token().kind != PtxToken::Kind::word)
      return unexpected("a target such as sm_70");
    StringRef digits = text;
    if (digits.consume_front("sm_")) {
      digits = digits.drop_while(isDigit);
      if (digits.size() == text.size() - 3 ||
          !(digits.empty() || digits == "a" || digits == "f"))
        return unexpected("a target such as sm_70");
      image->arch = text.str();
    } // else an option: texmode_independent, debug, map_f64_to_f32
    lexer.advance();
  } while (accept(","));
  return Error::success();
}

Error PtxParser::address_size() {
  Expected<uint64_t> bits = number("an address size");
  if (!bits)
    return bits.takeError();
  if (*bits != 64)
    return no_image(label, "PTX with {0}-bit addresses: not supported", *bits);
  return Error::success();
}

Error PtxParser::file_scope_variables(bool visible, bool external) {
  StringRef space = token().text;
  lexer.advance();
  if (space == ".const" && accept("["))
    if (Error error = skip_past("]")) // the bank of old versions
      return error;
  if (Error error = variables([&](const PtxVariable &variable) -> Error {
        auto kind = space == ".shared"  ? Global::Space::shared
                    : space == ".const" ? Global::Space::constant
                                        : Global::Space::global;
        if (kind == Global::Space::shared)
          shared[variable.name] = variable.size;
        image->globals.push_back({variable.name.str(), 0, variable.size, kind,
                                  visible || external, !external});
        return external ? Error::success()
                        : note_init_object(*image, variable.name, label);
      }))
    return error;
  return expect(";");
}

// The directives between a kernel's parameters and its body.
Error PtxParser::limits(Kernel &kernel, bool &has_body) {
  while (true) {
    if (token().is("{")) {
      has_body = true;
      return Error::success();
    }
    if (accept(";"))
      return Error::success();
    StringRef directive = token().text;
    if (token().kind != PtxToken::Kind::directive)
      return unexpected("a directive, '{' or ';'");
    lexer.advance();
    if (directive == ".pragma") {
      if (Error error = skip_past(";"))
        return error;
      continue;
    }
    if (accept("("))
      if (Error error = skip_past(")"))
        return error;
    SmallVector<uint64_t, 3> values;
    while (token().kind == PtxToken::Kind::number) {
      Expected<uint64_t> value = number("a number");
      if (!value)
        return value.takeError();
      values.push_back(*value);
      if (!accept(","))
        break;
    }
    bool required = directive == ".reqntid";
    if ((!required && directive != ".maxntid") || values.empty())
      continue;
    values.resize(3, 1);
    uint64_t threads = 1;
    for (unsigned i = 0; i < 3; ++i) {
      threads = std::min<uint64_t>(
          threads * std::min<uint64_t>(values[i], UINT32_MAX), UINT32_MAX);
      if (required)
        kernel.required_block[i] = std::min<uint64_t>(values[i], UINT32_MAX);
    }
    kernel.max_threads = threads;
  }
}

// From '{' past its '}'. A statement begins behind ';', '{', '}' or a label's
// ':'.
Error PtxParser::body(Body &body) {
  unsigned depth = 0;
  bool begins = true;
  do {
    const PtxToken &current = token();
    if (current.is_last())
      return unexpected("'}'");
    if (begins && current.is(".shared")) {
      lexer.advance();
      if (Error error = variables([&](const PtxVariable &variable) {
            body.shared_size = std::min(
                alignTo(body.shared_size, variable.alignment) + variable.size,
                MAX_SIZE);
            return Error::success();
          }))
        return error;
      if (Error error = expect(";"))
        return error;
      continue;
    }
    if (begins && (current.is(".loc") || current.is(".file"))) {
      skip_line();
      continue;
    }
    if (current.kind == PtxToken::Kind::word &&
        (shared.contains(current.text) ||
         function_names.contains(current.text)))
      if (body.uses.empty() || body.uses.back() != current.text)
        body.uses.push_back(current.text);
    depth += current.is("{") ? 1 : current.is("}") ? -1 : 0;
    begins = current.is("{") || current.is("}") || current.is(";") ||
             current.is(":");
    lexer.advance();
  } while (depth);
  return Error::success();
}

Error PtxParser::function(bool is_kernel, bool visible, bool external) {
  lexer.advance(); // .entry or .func
  uint64_t ignored = 0;
  if (!is_kernel) {
    if (token().is(".attribute"))
      if (Error error = skip_past(")"))
        return error;
    if (token().is("(")) // what it returns
      if (Error error = parameters(nullptr, ignored))
        return error;
  }
  Expected<StringRef> name =
      word(is_kernel ? "a kernel's name" : "a function's name");
  if (!name)
    return name.takeError();
  Kernel kernel;
  kernel.name = kernel.symbol = name->str();
  if (token().is("("))
    if (Error error = parameters(is_kernel ? &kernel.arguments : nullptr,
                                 is_kernel ? kernel.arguments_size : ignored))
      return error;
  kernel.kernarg_size = kernel.arguments_size;
  function_names.insert(*name);
  bool has_body = false;
  if (Error error = limits(kernel, has_body))
    return error;
  if (!has_body)
    return Error::success(); // a declaration
  auto entry = bodies.try_emplace(*name).first;
  if (!defined.insert(*name).second)
    return malformed(label, "line {0}: '{1}' is defined twice", token().line,
                     *name);
  if (Error error = body(entry->second))
    return error;
  if (is_kernel)
    image->kernels.push_back(std::move(kernel));
  else
    image->functions.push_back({name->str(), 0, {}, ""});
  return Error::success();
}

// Several modules that are to be linked, as nvptx-none-ld leaves them: each
// ends with a zero byte.
Error PtxParser::next_module() {
  defined.clear();
  while (token().kind == PtxToken::Kind::module_end)
    lexer.advance();
  if (token().kind == PtxToken::Kind::end || token().is(".version"))
    return Error::success();
  return unexpected("'.version' after a zero byte");
}

Error PtxParser::declaration() {
  if (token().kind == PtxToken::Kind::module_end)
    return next_module();
  bool visible = false, external = false;
  while (true) {
    if (accept(".visible") || accept(".weak") || accept(".common"))
      visible = true;
    else if (accept(".extern"))
      external = true;
    else
      break;
  }
  const PtxToken &current = token();
  if (current.is(".entry") || current.is(".func"))
    return function(current.is(".entry"), visible, external);
  for (StringRef space : {".global", ".const", ".shared", ".local", ".tex"})
    if (current.is(space))
      return file_scope_variables(visible, external);
  if (visible || external)
    return unexpected("a function or a variable");
  if (accept(".version"))
    return version();
  if (accept(".target"))
    return target();
  if (accept(".address_size"))
    return address_size();
  if (current.is(".file") || current.is(".loc")) {
    skip_line();
    return Error::success();
  }
  if (accept(".section")) {
    lexer.advance(); // its name
    return token().is("{") ? skip_block() : unexpected("'{'");
  }
  if (accept(".pragma") || accept(".alias") || accept(".reg"))
    return skip_past(";");
  if (accept("@")) { // the debug sections of old versions
    skip_line();
    return Error::success();
  }
  return unexpected("a directive");
}

uint64_t PtxParser::reachable_shared(StringRef function) const {
  StringSet<> seen;
  SmallVector<StringRef> pending{function};
  uint64_t size = 0;
  while (!pending.empty()) {
    StringRef name = pending.pop_back_val();
    if (!seen.insert(name).second)
      continue;
    uint64_t more = 0;
    if (auto variable = shared.find(name); variable != shared.end())
      more = variable->second;
    if (auto callee = bodies.find(name); callee != bodies.end()) {
      more = callee->second.shared_size;
      pending.append(callee->second.uses.begin(), callee->second.uses.end());
    }
    size = std::min(size + more, MAX_SIZE);
  }
  return size;
}

Error PtxParser::parse(ImageContents &result) {
  image = &result;
  if (!token().is(".version"))
    return unexpected("'.version'");
  while (token().kind != PtxToken::Kind::end)
    if (Error error = declaration())
      return error;
  if (image->arch.empty())
    return malformed(label, "PTX without a .target directive");
  for (Kernel &kernel : image->kernels)
    kernel.shared_size = reachable_shared(kernel.name);
  sort_init_objects(*image);
  return Error::success();
}

} // namespace

Expected<ImageContents> parse_ptx(StringRef bytes, StringRef label) {
  ImageContents image;
  image.format = Image::Format::ptx;
  bytes = bytes.rtrim('\0'); // of containers, which pad
  image.owned = MemoryBuffer::getMemBufferCopy(bytes, label);
  image.bytes = image.owned->getBuffer(); // a zero byte follows it
  if (Error error = PtxParser(image.bytes, label).parse(image))
    return std::move(error);
  image.target_id = image.arch;
  return std::move(image);
}

} // namespace gpuexec::parsing
