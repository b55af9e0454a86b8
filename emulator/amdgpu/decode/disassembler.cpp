//===-- emulator/amdgpu/decode/disassembler.cpp - Rows of LLVM's opcodes --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the row of an opcode from LLVM's name of it. No other file takes the
// text of a mnemonic apart.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/disassembler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/TargetParser/TargetParser.h"

#include <utility>

namespace gpuexec::emulator::amdgpu {

Disassembler::Disassembler(std::unique_ptr<AmdgpuDisassembler> disassembler,
                           RegisterRules rules, Target processor)
    : disassembler(std::move(disassembler)), rules(rules),
      processor(processor) {}
Disassembler::~Disassembler() = default;

llvm::Expected<std::unique_ptr<Disassembler>>
Disassembler::create(llvm::StringRef cpu, bool wave32) {
  const Target target = {llvm::AMDGPU::getIsaVersion(cpu).Major, wave32,
                         cpu == "gfx90a"};
  auto disassembler = AmdgpuDisassembler::create(
      cpu, target.is_rdna() && !wave32 ? "+wavefrontsize64" : "");
  if (!disassembler)
    return disassembler.takeError();
  const RegisterRules rules = {!target.is_rdna() && cpu != "gfx9-generic",
                               target.is_rdna()};
  return std::unique_ptr<Disassembler>(
      new Disassembler(std::move(*disassembler), rules, target));
}

unsigned Disassembler::keep(llvm::ArrayRef<uint8_t> bytes) {
  llvm::MCInst inst;
  const unsigned size = disassembler->decode(bytes, 0, inst);
  if (size == 0 || size > KEY_BYTES || bytes.size() < KEY_BYTES)
    return size;
  info(inst.getOpcode());
  kept.try_emplace(llvm::support::endian::read64le(bytes.data()),
                   Kept{inst, size});
  return size;
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

/// Takes the suffixes off LLVM's name of an opcode and notes what they say.
static void strip_suffixes(llvm::StringRef &name, OpcodeInfo &info) {
  // The generation's suffix may stand twice (V_FMA_F16_gfx9_gfx9).
  const auto generation = [&] {
    while (strip(name, "_vi") || strip(name, "_gfx9") ||
           strip(name, "_gfx90a") || strip(name, "_gfx940") ||
           strip(name, "_gfx10") || strip(name, "_gfx11") ||
           strip(name, "_gfx12") || strip(name, "_acd") ||
           strip(name, "_vcd") || strip(name, "_w32") || strip(name, "_w64"))
      ;
  };
  generation();
  strip(name, "_opsel"); // V_ALIGNBIT_B32_opsel_gfx9
  if (strip(name, "_sdwa"))
    info.encoding = Encoding::sdwa;
  else if (strip(name, "_dpp"))
    info.encoding = Encoding::dpp;
  else if (strip(name, "_dpp8")) {
    info.encoding = Encoding::dpp;
    info.dpp8 = true;
  }
  const bool dpp = info.encoding == Encoding::dpp;
  if (strip(name, "_e32")) // V_CMP_EQ_F32_e32_dpp_gfx11
    info.encoding = dpp ? Encoding::dpp : Encoding::e32;
  else if (strip(name, "_e64")) {
    info.encoding = dpp ? Encoding::dpp : Encoding::e64;
    info.dpp_e64 = dpp;
  }
  strip(name, "_t16");
  strip(name, "_fake16");
  generation(); // V_MAD_U64_U32_gfx11_e64_gfx11
}

/// If an instruction was renamed, LLVM's name may consist of both names
/// (V_ADD_NC_I16V_ADD_I16). Returns the second, older one, or all of `name`.
static llvm::StringRef older_name(llvm::StringRef name) {
  for (size_t at = name.find("v_", 2); at != name.npos;
       at = name.find("v_", at + 1))
    if (name[at - 1] >= '0' && name[at - 1] <= '9')
      return name.drop_front(at);
  return name;
}

/// Finds the rows of both halves of a dual instruction
/// (v_dual_mov_b32_e32_x_add_u32_e32). False if `name` is no such instruction.
static bool find_dual(llvm::StringRef name, unsigned generation,
                      OpcodeInfo &info) {
  if (!name.consume_front("v_dual_"))
    return false;
  auto [first, second] = name.split("_x_");
  strip(first, "_e32");
  strip(second, "_e32");
  // On RDNA4 "max_f32" here stands for v_max_num_f32.
  const auto row = [&](llvm::StringRef half) {
    if (generation >= 12 && (half == "max_f32" || half == "min_f32"))
      return find_operation(("v_" + half.take_front(3) + "_num_f32").str());
    return find_operation(("v_" + half).str());
  };
  info.operation = row(first);
  info.second = row(second);
  if (!info.second)
    info.operation = nullptr;
  return true;
}

/// The control that the printer shows in `with` and not, or otherwise, in
/// `without`.
static Control shown_control(llvm::StringRef without, llvm::StringRef with) {
  static constexpr std::pair<const char *, Control> WORDS[] = {
      {"clamp", Control::clamp},
      {"mul:2", Control::omod},
      {"byte_sel:", Control::byte_sel},
      {"dst_sel:", Control::dst_sel},
      {"dst_unused:", Control::dst_unused},
      {"src0_sel:", Control::src0_sel},
      {"src1_sel:", Control::src1_sel}};
  llvm::SmallVector<llvm::StringRef, 16> before, after;
  without.split(before, ' ', -1, false);
  with.split(after, ' ', -1, false);
  for (llvm::StringRef word : after)
    if (!llvm::is_contained(before, word))
      for (auto [begin, control] : WORDS)
        if (word.starts_with(begin))
          return control;
  return Control::other;
}

Control Disassembler::control(const llvm::MCInst &inst, unsigned number) {
  info(inst.getOpcode());
  auto &controls = infos[inst.getOpcode()]->controls;
  if (controls.size() <= number)
    controls.resize(number + 1);
  std::optional<Control> &known = controls[number];
  if (!known) {
    llvm::MCInst changed = inst;
    const auto text = [&](i64 value) {
      changed.getOperand(number).setImm(value);
      return print(changed, 0);
    };
    known = shown_control(text(0), text(1));
  }
  return *known;
}

const OpcodeInfo &Disassembler::info(unsigned opcode) {
  std::unique_ptr<OpcodeInfo> &slot = infos[opcode];
  if (slot)
    return *slot;
  slot = std::make_unique<OpcodeInfo>();
  llvm::StringRef name = instructions().getName(opcode);
  strip_suffixes(name, *slot);
  std::string lower = name.lower();
  llvm::StringRef mnemonic = older_name(lower);
  if (find_dual(mnemonic, processor.generation, *slot)) {
    slot->mnemonic = mnemonic.str();
    return *slot;
  }
  if (mnemonic.starts_with("s_load_") ||
      mnemonic.starts_with("s_buffer_load_")) {
    strip(mnemonic, "_imm");
    strip(mnemonic, "_sgpr"); // _SGPR_IMM: both
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
    strip(mnemonic, "_vbuffer"); // RDNA4
  }
  std::string key = mnemonic.str();
  if (mnemonic.starts_with("v_cmpx_")) {
    slot->cmpx = true;
    key = "v_cmp_" + mnemonic.drop_front(7).str();
  }
  constexpr u8 SOURCE = 1, RESULT = 8;
  if (mnemonic == "v_movrels_b32")
    slot->relative = SOURCE;
  else if (mnemonic == "v_movreld_b32")
    slot->relative = RESULT;
  else if (mnemonic == "v_movrelsd_b32")
    slot->relative = SOURCE | RESULT;
  if (slot->relative)
    key = "v_mov_b32";
  if (processor.wave32 && mnemonic.starts_with("s_cbranch_vcc"))
    key += "_w32";                  // tests one register
  if (processor.generation >= 12 && // 8-bit floats have another format
      (mnemonic.contains("fp8") || mnemonic.contains("bf8")))
    key += "_ocp";
  slot->operation = find_operation(key);
  slot->mnemonic = mnemonic.str();
  return *slot;
}

} // namespace gpuexec::emulator::amdgpu
