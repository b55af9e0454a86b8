//===-- disassembly/amdgpu.cpp - LLVM's AMDGPU disassembler -----*- C++ -*-===//
#include "disassembly/amdgpu.h"

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

// The target's own headers are not installed; these are its C entry points.
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

namespace gpuexec {
namespace {

/// LLVM 22 crashes while it composes the complaint about a literal for which
/// the processor's longest instruction has no room. So its disassembler is told
/// of longer ones, and decode() refuses what is too long for the processor.
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

/// Whether the selectors of a sub-dword instruction are ones that there are.
/// LLVM 22 decodes the others too, and its printer cannot name them.
/// "Vega" ISA, sections 13.3.5 and 13.3.6 (SDWA and SDWAB).
bool sdwa_selectors_exist(llvm::ArrayRef<uint8_t> bytes) {
  uint32_t first = llvm::support::endian::read32le(bytes.data());
  uint32_t second = llvm::support::endian::read32le(bytes.data() + 4);
  auto field = [&](unsigned at, unsigned width) {
    return second >> at & ((1u << width) - 1);
  };
  const unsigned NO_SELECTOR = 7, NO_UNUSED = 3;
  if (field(16, 3) == NO_SELECTOR || field(24, 3) == NO_SELECTOR)
    return false;
  bool compares = first >> 25 == 0x3e; // its result is a mask
  return compares || (field(8, 3) != NO_SELECTOR && field(11, 2) != NO_UNUSED);
}

/// Whether a gfx9 instruction that begins so is no longer than that, unless it
/// is of the few whose opcode asks for a literal. "Vega" ISA, section 13: the
/// encodings, and the sources that are followed by another dword.
bool looks_like_one_dword(uint32_t word) {
  auto follows = [](uint32_t source) {
    const uint32_t SDWA = 249, DPP = 250, LITERAL = 255;
    return source == SDWA || source == DPP || source == LITERAL;
  };
  const uint32_t READFIRSTLANE = 0x3f << 16 | 2; // its result is a scalar
  if ((word >> 25 << 16 | (word >> 9 & 0xff)) == READFIRSTLANE &&
      follows(word >> 17 & 0xff))
    return false;      // no instruction, but LLVM looks for a literal
  if (word >> 31 == 0) // VOP1, VOP2, VOPC
    return !follows(word & 0x1ff);
  if (word >> 30 != 2) // longer encodings
    return false;
  const uint32_t SOP1 = 0x17d;
  if (word >> 28 == 0xb && (word >> 23 < SOP1 || word >> 23 == SOP1 + 2))
    return true; // SOPK, SOPP: no sources
  return !follows(word & 0xff) &&
         (word >> 23 == SOP1 || !follows(word >> 8 & 0xff));
}

/// Whether each operand is a register where the instruction wants a register,
/// and an immediate where it wants an immediate. LLVM 22 also decodes fields
/// for which the processor has neither, such as a literal as a destination.
bool operands_fit(const llvm::MCInst &inst, const llvm::MCInstrDesc &desc) {
  // Operands that are tied or that the encoding lacks may be missing at the end.
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

} // namespace

AmdgpuDisassembler::AmdgpuDisassembler() = default;
AmdgpuDisassembler::~AmdgpuDisassembler() = default;

llvm::Expected<std::unique_ptr<AmdgpuDisassembler>>
AmdgpuDisassembler::create(llvm::StringRef cpu, llvm::StringRef features) {
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target = find_target(triple, error);
  if (!target)
    return llvm::createStringError("AMDGPU disassembler: %s", error.c_str());
  // Asked beforehand: LLVM writes its own complaint to standard error.
  if (llvm::AMDGPU::parseArchAMDGCN(cpu) == llvm::AMDGPU::GK_NONE)
    return llvm::createStringError("unknown AMDGPU processor '%s'",
                                   cpu.str().c_str());
  std::unique_ptr<AmdgpuDisassembler> d(new AmdgpuDisassembler);
  llvm::MCTargetOptions options;
  d->mri.reset(target->createMCRegInfo(triple));
  d->mai.reset(target->createMCAsmInfo(*d->mri, triple, options));
  d->mii.reset(target->createMCInstrInfo());
  d->sti.reset(target->createMCSubtargetInfo(triple, cpu, features));
  // For these LLVM 22 would end the process.
  if (d->sti->checkFeatures("+southern-islands") ||
      d->sti->checkFeatures("+sea-islands"))
    return llvm::createStringError("LLVM has no disassembler for %s",
                                   cpu.str().c_str());
  d->longer = std::make_unique<LongInstructions>();
  d->context = std::make_unique<llvm::MCContext>(triple, d->longer.get(),
                                                 d->mri.get(), d->sti.get());
  d->disassembler.reset(target->createMCDisassembler(*d->sti, *d->context));
  d->is_gfx9 = llvm::AMDGPU::getIsaVersion(cpu).Major == 9;
  d->printer.reset(
      target->createMCInstPrinter(triple, 0, *d->mai, *d->mii, *d->mri));
  return d;
}

unsigned AmdgpuDisassembler::decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                                    llvm::MCInst &inst) {
  uint64_t size = 0;
  // A copy: the bytes may be memory that somebody writes meanwhile. Where the
  // code ends a literal may be cut off (see LongInstructions), so LLVM always
  // gets to see enough bytes.
  std::array<uint8_t, LongInstructions::LONGEST> padded{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), padded.size()),
              padded.begin());
  llvm::ArrayRef<uint8_t> all = padded;
  // LLVM tries all tables of long instructions before those of short ones: what
  // is a short one by all appearances is tried as such first.
  uint32_t first = llvm::support::endian::read32le(all.data());
  bool good = false;
  auto try_with = [&](llvm::ArrayRef<uint8_t> some) {
    inst.clear();
    good = disassembler->getInstruction(inst, size, some, pc, llvm::nulls()) ==
           llvm::MCDisassembler::Success;
  };
  if (is_gfx9 && looks_like_one_dword(first))
    try_with(all.take_front(4));
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
    // A literal that could have been an inline constant comes as an expression.
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

std::string AmdgpuDisassembler::print(const llvm::MCInst &inst, uint64_t pc) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printer->printInst(&inst, pc, "", *sti, out);
  return llvm::StringRef(text).trim().str();
}

} // namespace gpuexec
