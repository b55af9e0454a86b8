//===-- emulator/amdgpu/jit/register_file.h - Virtual registers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wave's registers in compiled code. Each scalar register, and the compiled
// lane's element of each vector register, is a local variable of the generated
// function: a virtual register. Two registers that an instruction can name as
// a pair are the halves of one variable. LLVM promotes the variables to SSA
// values: of 64 bits where both are used together, of 32 bits elsewhere. The
// class tracks which virtual registers are dirty (newer than State), which ones
// a segment reads (liveness.h), and which hold a known constant.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_REGISTER_FILE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_REGISTER_FILE_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/builder.h"
#include "emulator/amdgpu/jit/liveness.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <set>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

class RegisterFile {
public:
  explicit RegisterFile(Builder &builder);
  /// Emits the load of SCC, which every entry needs.
  void load_scc();

  // The current position.

  /// Moves the current position to the beginning of `block`. State holds all
  /// registers there, except those of assume().
  void begin(Block *block, unsigned segment, bool lane_on);
  bool lane_on() const { return on; }
  unsigned segment() const { return current; }
  unsigned new_segment() {
    needed.add_segment();
    return liveness.add_segment();
  }
  /// `segment` may follow the current segment.
  void edge_to(unsigned segment) {
    liveness.edge(current, segment);
    needed.edge(current, segment);
  }
  /// Code outside of the region may follow the current segment.
  void leads_elsewhere() { needed.read_all(current); }
  /// Begins a segment that only the current one leads to: the virtual registers
  /// keep their values.
  void continue_in_new_segment();

  // Operands. Types: i32 and i64; i1 for a lane's bit and for SCC.

  Value *read32(const Inst *i, Operand o);
  Value *read64(const Inst *i, Operand o);
  /// One or two registers, zero-extended to i64.
  Value *read(const Inst *i, Operand o, unsigned registers);
  /// Writes scalar registers, whether the lane is active or not.
  void write_scalar(Operand o, Value *value, unsigned bytes);
  /// Writes the lane's element of one or two rows if the lane is active.
  void write_vector(Operand o, Value *value, unsigned registers);
  /// Writes register `o` + `more`, i32, scalar or vector.
  void write32(Operand o, unsigned more, Value *value);
  /// Writes register `o` + `more` and the next one, i64.
  void write64(Operand o, unsigned more, Value *value);
  Value *lane_bit(const Inst *i, Operand o); // of a mask operand
  /// Writes a lane mask: `bit` for the lane if it is active, 0 for the others.
  void write_mask(Operand o, Value *bit);
  Value *scc();
  void write_scc(Value *bit);
  /// The address in State of any lane's element of a row. State holds its value
  /// afterwards.
  Value *element(Operand row, Value *lane);
  /// Loads the lane's virtual register from State.
  void reload(Operand o);

  // Scalar registers and SCC whose values are known constants. A write removes
  // the knowledge.

  std::optional<u32> known(const Inst *i, Operand o, unsigned more = 0) const;
  void learn(Operand o, unsigned more, u32 value);
  std::optional<bool> known_scc() const { return constant_scc; }
  void learn_scc(bool value) { constant_scc = value; }

  // State.

  /// Registers, by their offsets in State.
  struct Unwritten {
    std::set<u32> registers;
    /// The program overwrites these before it reads them: neither State nor
    /// virtual registers need to hold them.
    std::set<u32> dead;
    bool scc = false;
    bool operator==(const Unwritten &) const = default;
  };
  Unwritten unwritten() const;
  /// Marks these as dirty as well.
  void assume(const Unwritten &dirty);
  /// These are overwritten before they are read: marks them as not dirty.
  void forget(const std::set<u32> &dead);
  /// Emits stores of all dirty registers to State.
  void flush();
  /// Emits stores of all dirty registers but these, which stay dirty.
  void flush_except(const Unwritten &kept);
  /// Emits stores of all dirty registers at `there`, which this position
  /// branches to. They stay dirty here.
  void write_back(llvm::IRBuilder<> &there) { write_back(there, unsaved()); }
  unsigned dirty_count() const { return unsigned(dirty.size()); }
  /// The dirty registers, saved for the second of two successors.
  struct Dirty {
    llvm::SetVector<unsigned> registers;
    bool scc = false;
  };
  Dirty unsaved() const { return {dirty, scc_dirty}; }
  /// Emits stores of these at `there`, a place that this position leads to.
  void write_back(llvm::IRBuilder<> &there, const Dirty &some);
  /// This position leads to stores of all dirty registers.
  void note_saved();
  void set_unsaved(Dirty saved);
  /// Call it behind an instruction's last micro-op: temporaries and slots are
  /// dead from there on.
  void end_instruction();
  /// A number that changes whenever write_back() would emit other stores.
  unsigned version() const { return changes; }
  /// An instruction reads or writes `o` as a value of this type.
  void note_type(Operand o, amdgpu::Type type);
  /// Call it after all code is translated.
  void solve() {
    liveness.solve(unsigned(registers.size()));
    needed.solve(unsigned(registers.size()));
  }
  /// Call it after solve(), when all code is emitted. Gives each variable the
  /// type that most of its accesses have. Where a pair is mostly used as a
  /// whole, accesses of one half become accesses of the whole: otherwise LLVM
  /// would split the variable and join it again in every round of a loop. A
  /// variable that is mostly a float gets a float type: otherwise LLVM would
  /// move it between vector and general registers.
  void choose_types();
  /// Call it after solve(). Removes registers that no code reads from `segment`
  /// on, and adds those that are dead at its beginning.
  void remove_dead(Unwritten &some, unsigned segment) const;
  /// Emits loads of the registers that `segment` reads, at `ir`.
  void load_live(unsigned segment);
  /// False if code wrote EXEC as an ordinary register.
  bool consistent() const { return !wrote_exec; }

private:
  struct Register {
    u32 offset; // in State
    Value *variable;
  };
  /// The first register's offset, if one i64 variable holds it and the one at
  /// `offset` (or next to it).
  static u32 pair_of(u32 offset);
  static bool is_second(u32 offset);
  /// Whether `low` and `high` are such a pair.
  static bool are_pair(u32 low, u32 high);
  u32 offset_of(Operand operand) const;
  unsigned number_of(u32 offset);
  Value *get(u32 offset);
  void set(u32 offset, Value *value);
  Value *get_pair(u32 low);
  void set_pair(u32 low, Value *value);
  void note_write(u32 offset);
  void note_read(unsigned number);

  Builder &b;
  Liveness liveness; // of variables: what stores to State read, too
  Liveness needed;   // of the wave's registers, wherever they are held
  std::vector<Register> registers; // by number
  llvm::DenseMap<u32, unsigned> numbers;
  /// A variable of 64 bits, and how often instructions use all or half of it.
  struct Pair {
    llvm::AllocaInst *variable = nullptr;
    unsigned wide = 0, narrow[2] = {};    // of each half
    unsigned doubles = 0, floats[2] = {}; // of these, by instructions on floats
  };
  llvm::MapVector<u32, Pair> pairs; // by pair_of()
  llvm::AllocaInst *scc_variable;

  bool on = true;
  unsigned current = 0;            // segment
  llvm::SetVector<unsigned> dirty; // numbers
  bool scc_dirty = false, wrote_exec = false;
  unsigned changes = 0;
  llvm::DenseMap<u32, u32> constants; // by offset
  std::optional<bool> constant_scc;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_REGISTER_FILE_H
