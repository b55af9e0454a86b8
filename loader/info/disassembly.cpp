//===-- loader/info/disassembly.cpp - Which instructions an image uses ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/disassembly.h"
#include "disassembly/amdgpu.h"
#include "loader/image/ptx_lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <cinttypes>

using namespace llvm;

namespace gpuexec::info {

using Functions = std::map<std::string, FunctionCode>;

namespace {

void note_registers(const MCRegisterInfo &registers, const MCInst &instruction,
                    uint64_t position, FunctionCode &function) {
  for (const MCOperand &operand : instruction) {
    if (!operand.isReg() || !operand.getReg())
      continue;
    // "VGPR3", or "VGPR2_VGPR3" for a wide operand: the last number is the
    // highest. "VGPR5_LO16" is half a register.
    StringRef name = registers.getName(operand.getReg());
    name.consume_back("_LO16") || name.consume_back("_HI16");
    StringRef last = name.contains('_') ? name.rsplit('_').second : name;
    struct {
      const char *prefix;
      uint32_t &count;
      uint64_t &at;
    } const kinds[] = {{"VGPR", function.vgprs, function.vgprs_at},
                       {"AGPR", function.agprs, function.agprs_at},
                       {"SGPR", function.sgprs, function.sgprs_at}};
    for (const auto &kind : kinds) {
      unsigned number = 0;
      StringRef digits = last;
      if (!digits.consume_front(kind.prefix) ||
          digits.getAsInteger(10, number) || number < kind.count)
        continue;
      kind.count = number + 1;
      kind.at = position;
    }
  }
}

FunctionCode count(AmdgpuDisassembler &disassembler, StringRef code) {
  FunctionCode function;
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(code);
  uint64_t position = 0;
  while (position < bytes.size()) {
    MCInst instruction;
    unsigned size =
        disassembler.decode(bytes.slice(position), position, instruction);
    if (!size) {
      uint64_t step = std::min<uint64_t>(4, bytes.size() - position);
      function.undecoded += step;
      position += step;
      continue;
    }
    std::string text = disassembler.print(instruction, position);
    const StringRef opcode = StringRef(text).split(' ').first.split('\t').first;
    ++function.opcodes[opcode.str()];
    if (!function.stack_at &&
        (opcode.starts_with("scratch_") || opcode.starts_with("buffer_")))
      function.stack_at = position;
    note_registers(disassembler.registers(), instruction, position, function);
    position += size;
  }
  return function;
}

/// How many times, on average, each byte of an image may be disassembled.
/// Functions may share code, but an image with a function that begins at each
/// byte would take too long.
constexpr uint64_t READINGS = 16;

Expected<Functions> disassemble_amdgpu(const Image &image) {
  // From gfx10 on there are two wave sizes; LLVM assumes 32.
  bool wave64 =
      image.max_wave_size() == 64 && !image.arch().starts_with("gfx9");
  Expected<std::unique_ptr<AmdgpuDisassembler>> disassembler =
      AmdgpuDisassembler::create(image.arch(),
                                 wave64 ? "+wavefrontsize64" : "");
  if (!disassembler)
    return disassembler.takeError();
  Functions functions;
  uint64_t left = READINGS * image.bytes().size();
  auto add = [&](const std::string &name, StringRef code) {
    if (code.empty() || code.size() > left)
      return code.empty();
    left -= code.size();
    functions[name] = count(**disassembler, code);
    return true;
  };
  bool all = true;
  for (const Kernel &kernel : image.kernels())
    all = all && add(kernel.name, kernel.code);
  for (const DeviceFunction &function : image.functions())
    all = all && add(function.name, function.code);
  if (!all)
    return createStringError("%s: its functions overlap: their code has more "
                             "than %" PRIu64 " times the bytes of the image",
                             image.name().str().c_str(), READINGS);
  return functions;
}

using parsing::PtxToken;

/// Steps over the beginning of a statement in a body: a predicate, a line that
/// `.loc` or `.file` takes whole, or an opcode, which is counted. False when
/// the token is none of these. `begins`: whether another statement may begin.
bool step_over(parsing::PtxLexer &lexer, FunctionCode *function, bool &begins) {
  const PtxToken token = lexer.token();
  if (token.is("@")) { // @%p or @!%p: runs under a predicate
    lexer.advance();
    if (lexer.token().is("!"))
      lexer.advance();
    lexer.advance();
    return true;
  }
  if (token.is(".loc") || token.is(".file")) {
    while (!lexer.token().is_last() && lexer.token().line == token.line)
      lexer.advance();
    return true;
  }
  if (token.kind != PtxToken::Kind::word || !function)
    return false;
  std::string opcode = token.text.str();
  lexer.advance();
  if (lexer.token().is(":")) // a label
    return true;
  for (; lexer.token().kind == PtxToken::Kind::directive; lexer.advance())
    opcode += lexer.token().text;
  ++function->opcodes[opcode];
  begins = false;
  return true;
}

// The PTX is known to be valid. This finds the bodies of functions and the
// first word of each statement in them.
Functions count_ptx(StringRef text) {
  Functions functions;
  parsing::PtxLexer lexer(text);
  std::string name;
  bool in_header = false, begins = false;
  unsigned depth = 0, parentheses = 0;
  FunctionCode *function = nullptr;
  while (!lexer.token().is_last()) {
    PtxToken token = lexer.token();
    if (depth == 0) {
      if (token.is(".entry") || token.is(".func")) {
        in_header = true;
        name.clear();
      } else if (token.is(";")) {
        in_header = false;
      } else if (token.is("(") || token.is(")")) {
        parentheses += token.is("(") ? 1 : -1;
      } else if (in_header && name.empty() && parentheses == 0 &&
                 token.kind == PtxToken::Kind::word) {
        name = token.text.str(); // after a return parameter in parentheses
      }
    } else if (begins && step_over(lexer, function, begins)) {
      continue;
    }
    if (token.is("{")) {
      if (depth++ == 0)
        function = in_header ? &functions[name] : nullptr;
    } else if (token.is("}") && --depth == 0) {
      in_header = false;
    }
    begins = token.is("{") || token.is("}") || token.is(";") || token.is(":");
    lexer.advance();
  }
  return functions;
}

} // namespace

Expected<Functions> disassemble(const Image &image) {
  switch (image.format()) {
  case Image::Format::amdgpu:
    return disassemble_amdgpu(image);
  case Image::Format::ptx:
    return count_ptx(image.bytes());
  case Image::Format::cubin:
    break;
  }
  return Functions();
}

std::map<std::string, uint64_t> all_opcodes(const Functions &functions) {
  std::map<std::string, uint64_t> all;
  for (const auto &[name, function] : functions)
    for (const auto &[opcode, count] : function.opcodes)
      all[opcode] += count;
  return all;
}

} // namespace gpuexec::info
