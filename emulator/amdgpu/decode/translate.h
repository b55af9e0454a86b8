//===-- emulator/amdgpu/decode/translate.h - MCInst to micro-ops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction becomes one micro-op or several. Operands are told apart by
// LLVM's operand descriptions: source modifiers have a type of their own,
// sources that may be constants have target types, and plain immediates are
// what is left (clamp, omod, selectors, offsets).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_TRANSLATE_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_TRANSLATE_H

#include "emulator/amdgpu/decode/disassembler.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCInst.h"

#include <deque>

namespace gpuexec::emulator::amdgpu {

// LLVM 22's AMDGPU::OperandType (SIDefines.h, not installed); pinned by the
// decoder's tests.
enum : unsigned {
  OPERAND_REGISTER = 2,
  OPERAND_PLAIN_IMMEDIATE = 1,
  OPERAND_INPUT_MODS = 45
};
// SISrcMods: bits of a source modifier operand.
enum : unsigned {
  SRC_NEG = 1,
  SRC_ABS = 2,
  SRC_SEXT = 16,
  SRC_OP_SEL_0 = 4,
  SRC_OP_SEL_1 = 8
};
// Bits of a register's encoding (AMDGPU::HWEncoding).
enum : unsigned {
  ENCODING_VGPR = 1024,
  ENCODING_AGPR = 2048,
  ENCODING_HIGH_HALF = 4096,
  ENCODING_INDEX = 255
};

inline bool is_vector_register(unsigned encoding) {
  return encoding & (ENCODING_VGPR | ENCODING_AGPR);
}

inline i64 sign_extend(i64 value, unsigned bits) {
  return i64(u64(value) << (64 - bits)) >> (64 - bits);
}

/// Turns the MCInsts of one block into micro-ops, one after the other.
class Translator {
public:
  /// `counting`: gets the code's basic blocks; null without --stats.
  /// `preempts`: a slice may end at each access to memory (lockstep).
  Translator(Disassembler &disassembler, BasicBlocks *counting,
             bool preempts = false);

  /// Appends the micro-ops of the instruction at `pc` (offset in the code),
  /// without handlers. `texts` outlives them. Sets ends_block if control never
  /// falls through to the next instruction.
  void translate(const llvm::MCInst &inst, u32 pc, unsigned size,
                 std::deque<std::string> &texts, std::vector<MicroOp> &ops,
                 bool &ends_block);

private:
  /// An instruction's operands by what they are for.
  struct Parts {
    struct Source {
      llvm::MCOperand op;
      unsigned mods = 0; // SRC_*; v1.h (a high half) has SRC_OP_SEL_0
      bool is_vector = false;
    };
    llvm::SmallVector<llvm::MCOperand, 2> defs;
    llvm::SmallVector<Source, 5> sources;
    llvm::SmallVector<i64, 8> immediates;
    llvm::SmallVector<unsigned, 8> immediate_at; // their operands' numbers
    unsigned tied_mods = 0; // SRC_* of the tied operand
  };
  MicroOp micro_op(MicroOpKind kind, Uses uses = {}) const;
  /// The micro-op that is the operation itself.
  MicroOp main_op(const Operation &operation) const;
  /// The operand for a register that is read; NOWHERE if waves have no such
  /// register.
  Operand register_operand(const llvm::MCOperand &op,
                           std::vector<MicroOp> &ops);
  /// The operand for a register that is written; or NOWHERE.
  Operand destination(const llvm::MCOperand &op) const;
  Operand special_scalar(unsigned index, bool written) const;
  Operand place(const llvm::MCOperand &op, bool written) const;
  bool is_high_half(const llvm::MCOperand &op) const;
  /// Where an operation writes a lane mask whose destination is `mask`: in a
  /// wave of 32 lanes a slot, from which finish_mask() copies it to `mask`.
  Operand mask_place(Operand mask) const;
  void finish_mask(Operand mask, std::vector<MicroOp> &ops) const;
  Operand source_operand(const llvm::MCOperand &op, Inst &inst,
                         std::vector<MicroOp> &ops);
  Parts parse(const llvm::MCInst &inst);
  static const Operation &signed_fields(const OpcodeInfo &info, Parts &parts);
  bool valu(const llvm::MCInst &inst, const OpcodeInfo &info,
            std::vector<MicroOp> &ops);
  struct Vector;
  bool valu_from(Vector &v, std::vector<MicroOp> &ops);
  bool dual(const llvm::MCInst &inst, const OpcodeInfo &info,
            std::vector<MicroOp> &ops);
  bool vector_results(Vector &v, std::vector<MicroOp> &ops);
  bool vector_source(Vector &v, unsigned k, std::vector<MicroOp> &ops);
  void read_by_dpp(Vector &v, std::vector<MicroOp> &ops);
  bool modified_source(Vector &v, unsigned k, std::vector<MicroOp> &ops);
  bool vector_output(Vector &v, std::vector<MicroOp> &ops);
  bool scalar(const llvm::MCInst &inst, const Operation &operation,
              std::vector<MicroOp> &ops);
  bool memory(const llvm::MCInst &inst, const OpcodeInfo &info,
              std::vector<MicroOp> &ops);
  bool scalar_load(const llvm::MCInst &inst, const Operation &operation,
                   std::vector<MicroOp> &ops);
  bool sparse_matrix(const llvm::MCInst &inst, const Operation &operation,
                     std::vector<MicroOp> &ops);
  bool matrix(const llvm::MCInst &inst, const Operation &operation,
              std::vector<MicroOp> &ops);
  bool special(const llvm::MCInst &inst, const Operation &operation,
               std::vector<MicroOp> &ops);
  bool body(const llvm::MCInst &inst, const OpcodeInfo &info,
            std::vector<MicroOp> &ops);
  void order(const llvm::MCInst &inst, const Operation &operation,
             std::vector<MicroOp> &ops, size_t body);
  bool index(std::vector<MicroOp> &ops, size_t body, unsigned moved);
  bool check(std::vector<MicroOp> &ops, size_t body, bool ends_block);

  void begin_basic_block(std::vector<MicroOp> &ops);
  void count_access(const MemoryAccess &access, std::vector<MicroOp> &ops);
  void end_basic_block(const Operation &operation, std::vector<MicroOp> &ops,
                       size_t body, bool ends_block);

  /// Replaces the micro-ops from `first` on by one that ends the kernel with
  /// the reason `why`.
  void refuse(std::vector<MicroOp> &ops, size_t first, MicroOpKind kind,
              const char *why);

  Disassembler &disassembler;
  BasicBlocks *counting;
  bool preempts;
  BasicBlock *basic_block = nullptr; // the next instruction's; null: a new one
  u64 count_of_block = 0;            // index of its micro-op `count` in `ops`
  const Target target;
  RegisterRules rules;
  u32 pc = 0;
  unsigned size = 4;
  unsigned index_mode = 0; // between s_set_gpr_idx_on and _off
  // The last instruction of the block that matters for the order of memory;
  // and whether a wait for all of memory followed.
  enum class Last { other, read, write_back, invalidation } last = Last::other;
  bool waited = false;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_TRANSLATE_H
