//===-- emulator/amdgpu/disassembler.cpp - LLVM's MC layer ------*- C++ -*-===//
#include "emulator/amdgpu/decode.h"

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
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <mutex>

// The target's own headers are not installed; these are its C entry points.
extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

namespace gpuexec::emulator::amdgpu {

static const llvm::Target *target(const llvm::Triple &triple,
                                  std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

Disassembler::Disassembler() = default;
Disassembler::~Disassembler() = default;

llvm::Expected<std::unique_ptr<Disassembler>>
Disassembler::create(llvm::StringRef cpu) {
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target = amdgpu::target(triple, error);
  if (!target)
    return llvm::createStringError("AMDGPU disassembler: %s", error.c_str());
  std::unique_ptr<Disassembler> d(new Disassembler);
  llvm::MCTargetOptions options;
  d->mri.reset(target->createMCRegInfo(triple));
  d->mai.reset(target->createMCAsmInfo(*d->mri, triple, options));
  d->mii.reset(target->createMCInstrInfo());
  d->sti.reset(target->createMCSubtargetInfo(triple, cpu, ""));
  if (!d->sti || !d->sti->isCPUStringValid(cpu))
    return llvm::createStringError("unknown AMDGPU processor '%s'",
                                   cpu.str().c_str());
  d->context = std::make_unique<llvm::MCContext>(triple, d->mai.get(),
                                                 d->mri.get(), d->sti.get());
  d->disassembler.reset(target->createMCDisassembler(*d->sti, *d->context));
  // LLVM 22 writes its complaints about literals here without asking whether
  // there is a stream.
  d->disassembler->CommentStream = &llvm::nulls();
  d->printer.reset(
      target->createMCInstPrinter(triple, 0, *d->mai, *d->mii, *d->mri));
  return d;
}

unsigned Disassembler::decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                              llvm::MCInst &inst) {
  uint64_t size = 0;
  inst.clear();
  if (disassembler->getInstruction(inst, size, bytes, pc, llvm::nulls()) !=
          llvm::MCDisassembler::Success ||
      size > bytes.size())
    return 0;
  // A literal that could have been an inline constant comes as an expression.
  // A literal that is not there leaves an operand that is nothing.
  for (llvm::MCOperand &op : inst) {
    if (!op.isValid())
      return 0;
    if (op.isExpr()) {
      int64_t value;
      if (!op.getExpr()->evaluateAsAbsolute(value))
        return 0;
      op = llvm::MCOperand::createImm(value);
    }
  }
  return unsigned(size);
}

std::string Disassembler::print(const llvm::MCInst &inst, uint64_t pc) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printer->printInst(&inst, pc, "", *sti, out);
  return llvm::StringRef(text).trim().str();
}

llvm::StringRef Disassembler::llvm_name(unsigned opcode) const {
  return mii->getName(opcode);
}

std::vector<unsigned> Disassembler::opcodes() const {
  std::vector<unsigned> all;
  for (unsigned k = 0; k < mii->getNumOpcodes(); ++k)
    all.push_back(k);
  return all;
}

static bool strip(llvm::StringRef &name, llvm::StringRef suffix) {
  return name.consume_back(suffix);
}

const OpcodeInfo &Disassembler::info(unsigned opcode) {
  std::unique_ptr<OpcodeInfo> &slot = infos[opcode];
  if (slot)
    return *slot;
  slot = std::make_unique<OpcodeInfo>();
  llvm::StringRef name = mii->getName(opcode);
  // The generation's suffix may stand twice (V_FMA_F16_gfx9_gfx9).
  while (strip(name, "_vi") || strip(name, "_gfx9") || strip(name, "_gfx90a") ||
         strip(name, "_gfx940"))
    ;
  strip(name, "_opsel"); // V_ALIGNBIT_B32_opsel_gfx9
  if (strip(name, "_e32"))
    slot->encoding = Encoding::e32;
  else if (strip(name, "_e64"))
    slot->encoding = Encoding::e64;
  else if (strip(name, "_sdwa"))
    slot->encoding = Encoding::sdwa;
  else if (strip(name, "_dpp"))
    slot->encoding = Encoding::dpp;
  std::string lower = name.lower();
  llvm::StringRef mnemonic = lower;
  if (mnemonic.starts_with("s_load_") ||
      mnemonic.starts_with("s_buffer_load_")) {
    strip(mnemonic, "_imm");
    strip(mnemonic, "_sgpr");
  } else if (mnemonic.starts_with("ds_")) {
    size_t at = lower.find("_rtn");
    if (at != lower.npos)
      lower.erase(at, 4);
    mnemonic = lower;
  } else if (mnemonic.starts_with("flat_") || mnemonic.starts_with("global_") ||
             mnemonic.starts_with("scratch_")) {
    while (strip(mnemonic, "_rtn") || strip(mnemonic, "_saddr") ||
           strip(mnemonic, "_ve") || strip(mnemonic, "_svs") ||
           strip(mnemonic, "_st"))
      ;
  } else if (mnemonic.starts_with("buffer_")) {
    strip(mnemonic, "_rtn");
    if (strip(mnemonic, "_offen"))
      slot->buffer_mode = 1;
    else if (strip(mnemonic, "_idxen"))
      slot->buffer_mode = 2;
    else if (strip(mnemonic, "_bothen"))
      slot->buffer_mode = 3;
    else
      strip(mnemonic, "_offset");
  }
  std::string key = mnemonic.str();
  if (mnemonic.starts_with("v_cmpx_")) {
    slot->cmpx = true;
    key = "v_cmp_" + mnemonic.drop_front(7).str();
  }
  slot->operation = find_operation(key);
  slot->mnemonic = mnemonic.str();
  return *slot;
}

const Operation *find_operation(llvm::StringRef mnemonic) {
  static const llvm::StringMap<const Operation *> map = [] {
    llvm::StringMap<const Operation *> m;
    const Level &level = best_level();
    for (unsigned k = 0; k < level.count; ++k)
      m[level.operations[k].name] = &level.operations[k];
    return m;
  }();
  auto it = map.find(mnemonic);
  return it == map.end() ? nullptr : it->second;
}

} // namespace gpuexec::emulator::amdgpu
