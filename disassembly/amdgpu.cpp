//===-- disassembly/amdgpu.cpp - LLVM's AMDGPU disassembler ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "disassembly/llvm.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/TargetParser.h"

#include <algorithm>
#include <array>
#include <mutex>

// LLVM does not install the target's headers. These are its C entry points.
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

namespace gpuexec {
namespace {

/// LLVM 22 crashes while it formats the error about a literal that does not fit
/// into the processor's longest instruction. This class tells its disassembler
/// a larger maximum; decode() then rejects instructions that are too long.
class LongInstructions : public llvm::MCAsmInfo {
public:
  unsigned getMaxInstLength(const llvm::MCSubtargetInfo *) const override {
    return LONGEST;
  }
  static constexpr unsigned LONGEST = 32; // bytes
};

const llvm::Target *find_target(const llvm::Triple &triple,
                                std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// False if a sub-dword instruction has selectors that do not exist. LLVM 22
/// decodes those too, but its printer cannot print them.
/// "Vega" ISA, sections 13.3.5 and 13.3.6 (SDWA and SDWAB).
bool sdwa_selectors_exist(llvm::ArrayRef<uint8_t> bytes) {
  uint32_t first = llvm::support::endian::read32le(bytes.data());
  uint32_t second = llvm::support::endian::read32le(bytes.data() + 4);
  auto field = [&](unsigned at, unsigned width) {
    return second >> at & ((1u << width) - 1);
  };
  constexpr unsigned NO_SELECTOR = 7, NO_UNUSED = 3;
  if (field(16, 3) == NO_SELECTOR || field(24, 3) == NO_SELECTOR)
    return false;
  bool compares = first >> 25 == 0x3e; // VOPC: the result has no selectors
  return compares || (field(8, 3) != NO_SELECTOR && field(11, 2) != NO_UNUSED);
}

/// True if a gfx9 instruction with this first dword has no second one. Ignores
/// the few opcodes that always have a literal. "Vega" ISA, section 13: the
/// encodings, and the source operands that add a dword.
bool looks_like_one_dword(uint32_t word) {
  auto follows = [](uint32_t source) {
    constexpr uint32_t SDWA = 249, DPP = 250, LITERAL = 255;
    return source == SDWA || source == DPP || source == LITERAL;
  };
  constexpr uint32_t READFIRSTLANE = 0x3f << 16 | 2; // its result is a scalar
  if ((word >> 25 << 16 | (word >> 9 & 0xff)) == READFIRSTLANE &&
      follows(word >> 17 & 0xff))
    return false;      // not an instruction, but LLVM reads a literal
  if (word >> 31 == 0) // VOP1, VOP2, VOPC
    return !follows(word & 0x1ff);
  if (word >> 30 != 2) // longer encodings
    return false;
  constexpr uint32_t SOP1 = 0x17d;
  if (word >> 28 == 0xb && (word >> 23 < SOP1 || word >> 23 == SOP1 + 2))
    return true; // SOPK, SOPP: no sources
  return !follows(word & 0xff) &&
         (word >> 23 == SOP1 || !follows(word >> 8 & 0xff));
}

/// Where the literal of an instruction may begin, in bytes: after one dword
/// or, in VOP3, VOP3P and VOPD encodings, after two.
constexpr size_t LITERAL_PLACES[] = {4, 8};
/// A literal that fits in 16 bits and is not a code that a source field can
/// have. decode() puts it in the place of literals for which is_operand_code()
/// is true.
constexpr uint64_t PLACEHOLDER = 0x4321;

/// True if the dword at `at` equals the code of a constant (128 to 248) or of
/// "a literal follows" (255) in a source field. LLVM 22 decodes such a literal
/// a second time, as if it were a source field, when the instruction always has
/// a literal (v_fmamk_f32 ...): 128 becomes 0, and 255 crashes.
bool is_operand_code(llvm::ArrayRef<uint8_t> bytes, size_t at) {
  uint32_t dword = llvm::support::endian::read32le(bytes.data() + at);
  return dword >= 128 && dword <= 255;
}

/// Replaces the placeholder in `inst`, which was decoded with it in the dword
/// at `at`, by the literal. False when that dword is not the instruction's
/// literal of 32 bits, or of 64 bits whose upper half is 0.
bool restore_literal(llvm::MCInst &inst, uint64_t size, size_t at,
                     uint32_t literal) {
  if (size != at + 4 && size != at + 8)
    return false;
  bool found = false;
  for (llvm::MCOperand &op : inst)
    if (op.isImm() && op.getImm() == int64_t(PLACEHOLDER)) {
      op.setImm(literal);
      found = true;
    }
  return found;
}

/// True if each operand is of the kind, register or immediate, that the
/// instruction requires. LLVM 22 also decodes operands that are neither on the
/// processor, such as a literal as a destination.
bool operands_fit(const llvm::MCInst &inst, const llvm::MCInstrDesc &desc) {
  // Tied operands, and those without bits in the encoding, may be missing at
  // the end.
  unsigned count = std::min(inst.getNumOperands(), desc.getNumOperands());
  if (count < desc.getNumDefs())
    return false;
  for (unsigned k = 0; k < count; ++k) {
    const llvm::MCOperandInfo &info = desc.operands()[k];
    bool wants_register = k < desc.getNumDefs() ||
                          info.OperandType == llvm::MCOI::OPERAND_REGISTER,
         wants_immediate = info.RegClass < 0;
    const llvm::MCOperand &op = inst.getOperand(k);
    if ((wants_register && !op.isReg()) || (wants_immediate && !op.isImm()))
      return false;
  }
  return true;
}

class LlvmDisassembler final : public AmdgpuDisassembler {
public:
  /// Null and an error when LLVM does not know the processor.
  static std::unique_ptr<AmdgpuDisassembler>
  make(llvm::StringRef cpu, llvm::StringRef features, std::string &error);
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                  llvm::MCInst &inst) override;
  std::string print(const llvm::MCInst &inst, uint64_t pc) override;
  const llvm::MCInstrInfo &instructions() const override { return *mii; }
  const llvm::MCRegisterInfo &registers() const override { return *mri; }

private:
  std::unique_ptr<const llvm::MCRegisterInfo> mri;
  std::unique_ptr<const llvm::MCAsmInfo> mai;
  std::unique_ptr<const llvm::MCAsmInfo> longer; // LongInstructions
  std::unique_ptr<const llvm::MCInstrInfo> mii;
  std::unique_ptr<const llvm::MCSubtargetInfo> sti;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  bool is_gfx9 = false;
};

std::unique_ptr<AmdgpuDisassembler>
LlvmDisassembler::make(llvm::StringRef cpu, llvm::StringRef features,
                       std::string &error) {
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *target = find_target(triple, error);
  if (!target) {
    error = "AMDGPU disassembler: " + error;
    return nullptr;
  }
  // Checked before LLVM does, which would print to standard error.
  if (llvm::AMDGPU::parseArchAMDGCN(cpu) == llvm::AMDGPU::GK_NONE) {
    error = ("unknown AMDGPU processor '" + cpu + "'").str();
    return nullptr;
  }
  auto d = std::make_unique<LlvmDisassembler>();
  llvm::MCTargetOptions options;
  d->mri.reset(target->createMCRegInfo(triple));
  d->mai.reset(target->createMCAsmInfo(*d->mri, triple, options));
  d->mii.reset(target->createMCInstrInfo());
  d->sti.reset(target->createMCSubtargetInfo(triple, cpu, features));
  // LLVM 22 ends the process in the disassemblers of gfx6 and gfx7.
  if (d->sti->checkFeatures("+southern-islands") ||
      d->sti->checkFeatures("+sea-islands")) {
    error = ("LLVM has no disassembler for " + cpu).str();
    return nullptr;
  }
  d->longer = std::make_unique<LongInstructions>();
  d->context = std::make_unique<llvm::MCContext>(triple, d->longer.get(),
                                                 d->mri.get(), d->sti.get());
  d->disassembler.reset(target->createMCDisassembler(*d->sti, *d->context));
  d->is_gfx9 = llvm::AMDGPU::getIsaVersion(cpu).Major == 9;
  d->printer.reset(
      target->createMCInstPrinter(triple, 0, *d->mai, *d->mii, *d->mri));
  return d;
}

unsigned LlvmDisassembler::decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                                  llvm::MCInst &inst) {
  uint64_t size = 0;
  // Decodes a copy: another thread may write the bytes meanwhile. The copy is
  // padded, because a literal may be cut off at the end of the code (see
  // LongInstructions).
  std::array<uint8_t, LongInstructions::LONGEST> padded{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), padded.size()),
              padded.begin());
  llvm::ArrayRef<uint8_t> all = padded;
  // LLVM tries the tables of 8-byte instructions before those of 4 bytes. For
  // bytes that look like a short instruction we try 4 bytes first.
  uint32_t first = llvm::support::endian::read32le(all.data());
  bool good = false;
  auto try_with = [&](llvm::ArrayRef<uint8_t> some) {
    inst.clear();
    good = disassembler->getInstruction(inst, size, some, pc, llvm::nulls()) ==
           llvm::MCDisassembler::Success;
  };
  if (is_gfx9 && looks_like_one_dword(first))
    try_with(all.take_front(4));
  for (size_t at : LITERAL_PLACES) {
    if (good || !is_operand_code(all, at))
      continue;
    uint32_t literal = llvm::support::endian::read32le(padded.data() + at);
    llvm::support::endian::write32le(padded.data() + at, PLACEHOLDER);
    try_with(all);
    llvm::support::endian::write32le(padded.data() + at, literal);
    good = good && restore_literal(inst, size, at, literal);
  }
  if (!good)
    try_with(all);
  if (!good ||
      size > std::min<size_t>(bytes.size(), mai->getMaxInstLength(sti.get())))
    return 0;
  if (mii->getName(inst.getOpcode()).contains("_sdwa") &&
      !sdwa_selectors_exist(all))
    return 0;
  for (llvm::MCOperand &op : inst) {
    if (!op.isValid())
      return 0;
    // LLVM returns a literal that could be an inline constant as an expression.
    if (op.isExpr()) {
      int64_t value;
      if (!op.getExpr()->evaluateAsAbsolute(value))
        return 0;
      op = llvm::MCOperand::createImm(value);
    }
  }
  if (!operands_fit(inst, mii->get(inst.getOpcode())))
    return 0;
  return unsigned(size);
}

std::string LlvmDisassembler::print(const llvm::MCInst &inst, uint64_t pc) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printer->printInst(&inst, pc, "", *sti, out);
  return llvm::StringRef(text).trim().str();
}

} // namespace

std::unique_ptr<AmdgpuDisassembler>
disassembly::make_amdgpu(llvm::StringRef cpu, llvm::StringRef features,
                         std::string &error) {
  return LlvmDisassembler::make(cpu, features, error);
}

} // namespace gpuexec
