//===-- loader/info/disassembly.cpp - Which instructions an image uses ----===//
#include "loader/info/disassembly.h"
#include "loader/image/ptx_lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

#include <array>

using namespace llvm;

// The target's own headers are not installed; these are its C entry points.
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

namespace gpuexec::info {

using Functions = std::map<std::string, FunctionCode>;

namespace {

class AmdgpuDisassembler {
public:
  static Expected<AmdgpuDisassembler> create(StringRef processor,
                                             StringRef features);
  FunctionCode count(StringRef code);

private:
  AmdgpuDisassembler() = default;
  void note_registers(const MCInst &instruction, FunctionCode &function) const;

  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembly;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
};

Expected<AmdgpuDisassembler> AmdgpuDisassembler::create(StringRef processor,
                                                        StringRef features) {
  LLVMInitializeAMDGPUTargetInfo(); // each a no-op the second time
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError("no disassembler for AMDGPU: %s", error.c_str());
  AmdgpuDisassembler all;
  MCTargetOptions options;
  all.registers.reset(target->createMCRegInfo(triple));
  all.assembly.reset(target->createMCAsmInfo(*all.registers, triple, options));
  all.instructions.reset(target->createMCInstrInfo());
  all.subtarget.reset(
      target->createMCSubtargetInfo(triple, processor, features));
  all.context = std::make_unique<MCContext>(
      triple, all.assembly.get(), all.registers.get(), all.subtarget.get());
  all.disassembler.reset(
      target->createMCDisassembler(*all.subtarget, *all.context));
  // LLVM 22 writes its complaints about literals here without asking whether
  // there is a stream.
  all.disassembler->CommentStream = &nulls();
  all.printer.reset(target->createMCInstPrinter(
      triple, 0, *all.assembly, *all.instructions, *all.registers));
  return all;
}

void AmdgpuDisassembler::note_registers(const MCInst &instruction,
                                        FunctionCode &function) const {
  for (const MCOperand &operand : instruction) {
    if (!operand.isReg() || !operand.getReg())
      continue;
    // "VGPR3", or "VGPR2_VGPR3" of a wide operand: the last part is the
    // highest. "VGPR5_LO16" is half of one.
    StringRef name = registers->getName(operand.getReg());
    name.consume_back("_LO16") || name.consume_back("_HI16");
    StringRef last = name.contains('_') ? name.rsplit('_').second : name;
    for (auto [prefix, count] : {std::pair("VGPR", &function.vgprs),
                                 {"AGPR", &function.agprs},
                                 {"SGPR", &function.sgprs}}) {
      unsigned number = 0;
      StringRef digits = last;
      if (digits.consume_front(prefix) && !digits.getAsInteger(10, number))
        *count = std::max(*count, number + 1);
    }
  }
}

FunctionCode AmdgpuDisassembler::count(StringRef code) {
  FunctionCode function;
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(code);
  uint64_t position = 0;
  while (position < bytes.size()) {
    MCInst instruction;
    uint64_t size = 0;
    ArrayRef<uint8_t> rest = bytes.slice(position);
    // A literal that is not there leaves an operand that is nothing.
    bool decoded = disassembler->getInstruction(instruction, size, rest,
                                                position, nulls()) ==
                       MCDisassembler::Success &&
                   size <= rest.size() &&
                   all_of(instruction,
                          [](const MCOperand &op) { return op.isValid(); });
    if (!decoded) {
      uint64_t step = std::min<uint64_t>(4, bytes.size() - position);
      function.undecoded += step;
      position += step;
      continue;
    }
    std::string text;
    raw_string_ostream os(text);
    printer->printInst(&instruction, position, "", *subtarget, os);
    ++function.opcodes
          [StringRef(text).trim().split(' ').first.split('\t').first.str()];
    note_registers(instruction, function);
    position += std::max<uint64_t>(size, 1);
  }
  return function;
}

Expected<Functions> disassemble_amdgpu(const Image &image) {
  // From gfx10 on both wave sizes exist, and 32 is what LLVM assumes.
  bool wave64 =
      image.max_wave_size() == 64 && !image.arch().starts_with("gfx9");
  Expected<AmdgpuDisassembler> disassembler = AmdgpuDisassembler::create(
      image.arch(), wave64 ? "+wavefrontsize64" : "");
  if (!disassembler)
    return disassembler.takeError();
  Functions functions;
  for (const Kernel &kernel : image.kernels())
    if (!kernel.code.empty())
      functions[kernel.name] = disassembler->count(kernel.code);
  for (const DeviceFunction &function : image.functions())
    if (!function.code.empty())
      functions[function.name] = disassembler->count(function.code);
  return functions;
}

// PTX has parsed before: what is left is to find the bodies and the first word
// of every statement in them.
Functions count_ptx(StringRef text) {
  using parsing::PtxToken;
  Functions functions;
  parsing::PtxLexer lexer(text);
  auto at_end = [&] {
    return lexer.token().kind == PtxToken::Kind::end ||
           lexer.token().kind == PtxToken::Kind::bad;
  };
  std::string name;
  bool in_header = false, begins = false;
  unsigned depth = 0, parentheses = 0;
  FunctionCode *function = nullptr;
  while (!at_end()) {
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
        name = token.text
                   .str(); // what is returned stands in parentheses before it
      }
    } else if (begins && token.is("@")) { // @%p or @!%p: runs under a predicate
      lexer.advance();
      if (lexer.token().is("!"))
        lexer.advance();
      lexer.advance();
      continue;
    } else if (begins && token.kind == PtxToken::Kind::word && function) {
      std::string opcode = token.text.str();
      lexer.advance();
      if (lexer.token().is(":")) // a label
        continue;
      for (; lexer.token().kind == PtxToken::Kind::directive; lexer.advance())
        opcode += lexer.token().text;
      ++function->opcodes[opcode];
      begins = false;
      continue;
    } else if (begins && (token.is(".loc") ||
                          token.is(".file"))) { // these end with their line
      while (!at_end() && lexer.token().line == token.line)
        lexer.advance();
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
