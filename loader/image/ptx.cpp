//===-- loader/image/ptx.cpp - Declarations of PTX text -------------------===//
// Reads what PTX declares (PTX ISA, "Directives" and "State Spaces, Types, and
// Variables"): version, target, kernels with their parameters, variables with
// their sizes. Instructions are stepped over: the driver's compiler judges
// them. Registers, stack and code size are that compiler's choice, so they stay
// empty.

#include "loader/image/contents.h"
#include "loader/image/ptx_lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::parsing {

namespace {

/// No variable of a GPU program comes near this; sums of a few such sizes
/// cannot overflow.
constexpr uint64_t MAX_SIZE = uint64_t(1) << 40;

/// Bytes of a fundamental type, 0 for what is none. Opaque types are 64-bit
/// handles.
uint64_t type_size(StringRef directive) {
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

struct Variable {
  StringRef name;
  uint64_t size = 0, alignment = 1;
};

/// What a function's body showed: enough to add up the shared memory that a
/// kernel reaches.
struct Body {
  uint64_t shared_size = 0;
  SmallVector<StringRef, 8> uses; // functions and file-scope shared variables
};

class PtxParser {
public:
  PtxParser(StringRef text, StringRef label) : lexer(text), label(label) {}
  Error parse(ImageContents &image);

private:
  const PtxToken &token() const { return lexer.token(); }
  bool accept(StringRef text) {
    if (!token().is(text))
      return false;
    lexer.advance();
    return true;
  }
  Error expect(StringRef text);
  Error unexpected(const Twine &expected);
  Expected<StringRef> word(const Twine &what);
  Expected<uint64_t> number(const Twine &what);
  void skip_line();
  Error skip_past(StringRef end);
  Error skip_block();

  Error version();
  Error target();
  Error address_size();
  Error declaration();
  Error file_scope_variables(bool visible, bool external);
  Error function(bool is_kernel, bool visible, bool external);
  Error parameters(std::vector<Argument> *arguments, uint64_t &size);
  Error limits(Kernel &kernel, bool &has_body);
  Error body(Body &body);
  Error variables(function_ref<Error(const Variable &)> visit);
  Expected<Variable> declarator(uint64_t element, uint64_t alignment);
  Error count_elements(uint64_t &count);
  uint64_t reachable_shared(StringRef function) const;

  PtxLexer lexer;
  StringRef label;
  ImageContents *image = nullptr;
  StringMap<uint64_t> shared; // file-scope shared variables
  StringMap<Body> bodies;
  StringSet<> function_names;
};

Error PtxParser::unexpected(const Twine &expected) {
  if (token().kind == PtxToken::Kind::bad)
    return malformed(label, "line {0}: {1}", token().line, token().text);
  if (token().kind == PtxToken::Kind::end)
    return malformed(label, "line {0}: the text ends where {1} was expected",
                     token().line, expected.str());
  return malformed(label, "line {0}: '{1}' where {2} was expected",
                   token().line, token().text.take_front(60), expected.str());
}

Error PtxParser::expect(StringRef text) {
  return accept(text) ? Error::success() : unexpected("'" + text + "'");
}

Expected<StringRef> PtxParser::word(const Twine &what) {
  if (token().kind != PtxToken::Kind::word)
    return unexpected(what);
  StringRef text = token().text;
  lexer.advance();
  return text;
}

Expected<uint64_t> PtxParser::number(const Twine &what) {
  uint64_t value = 0;
  StringRef text = token().text;
  text.consume_back("U");
  if (token().kind != PtxToken::Kind::number || text.getAsInteger(0, value))
    return unexpected(what);
  lexer.advance();
  return value;
}

void PtxParser::skip_line() {
  unsigned line = token().line;
  while (token().line == line && token().kind != PtxToken::Kind::end &&
         token().kind != PtxToken::Kind::bad)
    lexer.advance();
}

Error PtxParser::skip_past(StringRef end) {
  while (!token().is(end)) {
    if (token().kind == PtxToken::Kind::end ||
        token().kind == PtxToken::Kind::bad)
      return unexpected("'" + end + "'");
    lexer.advance();
  }
  lexer.advance();
  return Error::success();
}

// From '{' past its '}'.
Error PtxParser::skip_block() {
  unsigned depth = 0;
  do {
    if (token().kind == PtxToken::Kind::end ||
        token().kind == PtxToken::Kind::bad)
      return unexpected("'}'");
    depth += token().is("{") ? 1 : token().is("}") ? -1 : 0;
    lexer.advance();
  } while (depth);
  return Error::success();
}

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

// `= { 1, 2, {3} }` or `= 5`: the number of elements at the top level.
Error PtxParser::count_elements(uint64_t &count) {
  count = 1;
  if (!token().is("{")) {
    while (!token().is(",") && !token().is(";")) {
      if (token().kind == PtxToken::Kind::end ||
          token().kind == PtxToken::Kind::bad)
        return unexpected("';'");
      lexer.advance();
    }
    return Error::success();
  }
  unsigned depth = 0;
  do {
    if (token().kind == PtxToken::Kind::end ||
        token().kind == PtxToken::Kind::bad)
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
Expected<Variable> PtxParser::declarator(uint64_t element, uint64_t alignment) {
  Expected<StringRef> name = word("a variable's name");
  if (!name)
    return name.takeError();
  Variable variable{*name, element, alignment};
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
Error PtxParser::variables(function_ref<Error(const Variable &)> visit) {
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
    Expected<Variable> variable =
        declarator(element, std::max(alignment, element));
    if (!variable)
      return variable.takeError();
    if (Error error = visit(*variable))
      return error;
  } while (accept(","));
  return Error::success();
}

Error PtxParser::file_scope_variables(bool visible, bool external) {
  StringRef space = token().text;
  lexer.advance();
  if (space == ".const" && accept("["))
    if (Error error = skip_past("]")) // the bank of old versions
      return error;
  if (Error error = variables([&](const Variable &variable) -> Error {
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

// From '(' past ')'.
Error PtxParser::parameters(std::vector<Argument> *arguments, uint64_t &size) {
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
    Expected<Variable> parameter =
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
    if (current.kind == PtxToken::Kind::end ||
        current.kind == PtxToken::Kind::bad)
      return unexpected("'}'");
    if (begins && current.is(".shared")) {
      lexer.advance();
      if (Error error = variables([&](const Variable &variable) {
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
  auto [entry, fresh] = bodies.try_emplace(*name);
  if (!fresh)
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

Error PtxParser::declaration() {
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
