//===-- emulator/amdgpu/decode/disassembler.cpp - Rows of LLVM's opcodes --===//
// The only place that takes the text of a mnemonic apart.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/disassembler.h"

#include "llvm/MC/MCInstrInfo.h"

namespace gpuexec::emulator::amdgpu {

Disassembler::Disassembler(std::unique_ptr<AmdgpuDisassembler> disassembler,
                           bool aligned_tuples, bool flushing_matrices)
    : disassembler(std::move(disassembler)), aligned_tuples(aligned_tuples),
      flushing_matrices(flushing_matrices) {}
Disassembler::~Disassembler() = default;

llvm::Expected<std::unique_ptr<Disassembler>>
Disassembler::create(llvm::StringRef cpu) {
  auto disassembler = AmdgpuDisassembler::create(cpu);
  if (!disassembler)
    return disassembler.takeError();
  return std::unique_ptr<Disassembler>(new Disassembler(
      std::move(*disassembler), cpu != "gfx9-generic", cpu == "gfx90a"));
}

llvm::StringRef Disassembler::llvm_name(unsigned opcode) const {
  return instructions().getName(opcode);
}

std::vector<unsigned> Disassembler::opcodes() const {
  std::vector<unsigned> all;
  for (unsigned k = 0; k < instructions().getNumOpcodes(); ++k)
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
  llvm::StringRef name = instructions().getName(opcode);
  // The generation's suffix may stand twice (V_FMA_F16_gfx9_gfx9).
  while (strip(name, "_vi") || strip(name, "_gfx9") || strip(name, "_gfx90a") ||
         strip(name, "_gfx940") || strip(name, "_acd") || strip(name, "_vcd"))
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
      slot->buffer_mode = BUFFER_OFFEN;
    else if (strip(mnemonic, "_idxen"))
      slot->buffer_mode = BUFFER_IDXEN;
    else if (strip(mnemonic, "_bothen"))
      slot->buffer_mode = BUFFER_OFFEN | BUFFER_IDXEN;
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

} // namespace gpuexec::emulator::amdgpu
