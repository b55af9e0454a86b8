//===-- emulator/amdgpu/decode/disassembler.h - From bytes to MCInst ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's disassembler gives an MCInst; operand descriptions and register
// encodings of LLVM's MC layer describe its operands. Nothing here decodes
// bits. The target's enumerations are not installed with LLVM, so an opcode's
// row in the table of instructions is found by LLVM's name of it, with the
// encoding's suffixes dropped, when the opcode is met for the first time.
// Nothing else reads names.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_DISASSEMBLER_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_DISASSEMBLER_H

#include "disassembly/amdgpu.h"
#include "emulator/amdgpu/decode/operation.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace gpuexec::emulator::amdgpu {

/// Encoding of an instruction, as the suffix of LLVM's opcode name says.
enum class Encoding : u8 { plain, e32, e64, sdwa, dpp };

/// What decoding depends on besides the processor's opcodes.
struct Target {
  unsigned generation = 9; ///< 9: Vega and CDNA, 10 to 12: RDNA 1 to 4
  bool wave32 = false;     ///< waves of 32 lanes; lane masks are one register
  bool matrices_flush_denormals = false; ///< see Disassembler
  bool is_rdna() const { return generation >= 10; }
};

/// What an immediate operand of a vector instruction is for.
enum class Control : u8 {
  other, // DPP's, those that repeat a source's modifiers, ...
  clamp,
  omod,
  byte_sel,
  dst_sel,
  dst_unused,
  src0_sel,
  src1_sel,
};

/// What the emulator knows of one of LLVM's opcodes.
struct OpcodeInfo {
  std::string mnemonic; // lower case; Operation::name, but for v_cmpx_*
  const Operation *operation = nullptr; // null: unknown to the emulator
  /// Of the second half of a dual instruction (VOPD); else null.
  const Operation *second = nullptr;
  Encoding encoding = Encoding::plain;
  bool dpp8 = false;    // with Encoding::dpp: DPP8, see Dpp::lanes
  bool dpp_e64 = false; // DPP in the VOP3 encoding, which has clamp and omod
  /// v_movrels, v_movreld: a bit for each vector operand that M0 moves, as in
  /// the micro-op `indexed`; the row is that of a plain move.
  u8 relative = 0;
  bool cmpx = false;  // v_cmpx_*: the row of v_cmp_*, and EXEC is written
  u8 buffer_mode = 0; // BUFFER_OFFEN, BUFFER_IDXEN
  /// Filled by Disassembler::control(), by the operand's number.
  llvm::SmallVector<std::optional<Control>, 0> controls;
};

/// LLVM's disassembler for one processor, and what the emulator knows of the
/// opcodes. Not thread-safe.
class Disassembler {
public:
  /// `wave32`: kernels whose waves have 32 lanes; for RDNA alone.
  static llvm::Expected<std::unique_ptr<Disassembler>>
  create(llvm::StringRef cpu, bool wave32 = false);
  ~Disassembler();

  /// See AmdgpuDisassembler::decode.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                  llvm::MCInst &inst) {
    if (const Kept *known = find_kept(bytes)) {
      inst = known->inst;
      return known->size;
    }
    return disassembler->decode(bytes, pc, inst);
  }
  /// Decodes the first instruction of `bytes` and keeps it, so that decode()
  /// finds the same bytes decoded. Returns its size, or 0.
  unsigned keep(llvm::ArrayRef<uint8_t> bytes);
  std::string print(const llvm::MCInst &inst, uint64_t pc) {
    return disassembler->print(inst, pc);
  }

  const OpcodeInfo &info(unsigned opcode);
  /// What the immediate operand `number` of the instruction is for. LLVM's
  /// descriptions of operands do not say it, but its printer does.
  Control control(const llvm::MCInst &inst, unsigned number);
  /// True if matrix instructions of halves take denormals for zero (gfx90a).
  bool matrices_flush_denormals() const {
    return processor.matrices_flush_denormals;
  }
  /// Which registers operands may name.
  RegisterRules register_rules() const { return rules; }
  const Target &target() const { return processor; }
  /// All opcodes of LLVM's AMDGPU target, those of other processors as well.
  std::vector<unsigned> opcodes() const;
  /// LLVM's name of an opcode, as in "V_ADD_U32_e32_gfx9".
  llvm::StringRef llvm_name(unsigned opcode) const;

  const llvm::MCInstrInfo &instructions() const {
    return disassembler->instructions();
  }
  const llvm::MCRegisterInfo &registers() const {
    return disassembler->registers();
  }

private:
  Disassembler(std::unique_ptr<AmdgpuDisassembler> disassembler,
               RegisterRules rules, Target processor);
  std::unique_ptr<AmdgpuDisassembler> disassembler;
  llvm::DenseMap<unsigned, std::unique_ptr<OpcodeInfo>> infos;
  /// Instructions by their first 8 bytes, and those that follow; longer ones
  /// are not kept.
  struct Kept {
    llvm::MCInst inst;
    unsigned size;
  };
  static constexpr size_t KEY_BYTES = 8;
  const Kept *find_kept(llvm::ArrayRef<uint8_t> bytes) const {
    if (kept.empty() || bytes.size() < KEY_BYTES)
      return nullptr;
    const auto found = kept.find(llvm::support::endian::read64le(bytes.data()));
    return found == kept.end() ? nullptr : &found->second;
  }
  std::unordered_map<uint64_t, Kept> kept;
  RegisterRules rules;
  Target processor;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_DISASSEMBLER_H
