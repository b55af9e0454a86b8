//===-- emulator/amdgpu/decode/disassembler.h - From bytes to MCInst ------===//
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
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace gpuexec::emulator::amdgpu {

/// Encoding of an instruction, as the suffix of LLVM's opcode name says.
enum class Encoding : u8 { plain, e32, e64, sdwa, dpp };

/// What is known of one of LLVM's opcodes.
struct OpcodeInfo {
  std::string mnemonic; // lower case, as Operation::name; v_cmpx_* apart
  const Operation *operation = nullptr; // null: unknown to the emulator
  Encoding encoding = Encoding::plain;
  bool cmpx = false;  // v_cmpx_*: the row of v_cmp_*, and EXEC is written
  u8 buffer_mode = 0; // BUFFER_OFFEN, BUFFER_IDXEN
};

/// LLVM's disassembler for one processor, and what the emulator knows of the
/// opcodes. Not thread-safe.
class Disassembler {
public:
  static llvm::Expected<std::unique_ptr<Disassembler>>
  create(llvm::StringRef cpu);
  ~Disassembler();

  /// See AmdgpuDisassembler::decode.
  unsigned decode(llvm::ArrayRef<uint8_t> bytes, uint64_t pc,
                  llvm::MCInst &inst) {
    return disassembler->decode(bytes, pc, inst);
  }
  std::string print(const llvm::MCInst &inst, uint64_t pc) {
    return disassembler->print(inst, pc);
  }

  const OpcodeInfo &info(unsigned opcode);
  /// True if tuples of vector registers must begin at an even number.
  bool wants_aligned_tuples() const { return aligned_tuples; }
  /// True if matrix instructions of halves take denormals for zero (gfx90a).
  bool matrices_flush_denormals() const { return flushing_matrices; }
  /// "V_ADD_U32_e32_gfx9" and the like of every opcode that the processor has
  /// (as far as its name tells).
  std::vector<unsigned> opcodes() const;
  llvm::StringRef llvm_name(unsigned opcode) const;

  const llvm::MCInstrInfo &instructions() const {
    return disassembler->instructions();
  }
  const llvm::MCRegisterInfo &registers() const {
    return disassembler->registers();
  }

private:
  Disassembler(std::unique_ptr<AmdgpuDisassembler> disassembler,
               bool aligned_tuples, bool flushing_matrices);
  std::unique_ptr<AmdgpuDisassembler> disassembler;
  llvm::DenseMap<unsigned, std::unique_ptr<OpcodeInfo>> infos;
  bool aligned_tuples, flushing_matrices;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_DISASSEMBLER_H
