//===-- emulator/amdgpu/jit/register_file.h - Virtual registers -*- C++ -*-===//
// The registers of the wave as compiled code has them: each scalar register and
// the compiled lane's element of each vector register is a local variable, a
// virtual register; LLVM turns the variables into values. The class knows which
// of them State does not hold yet (they are dirty), which a block reads first
// (liveness.h), and which have a value that is known while translating.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_REGISTER_FILE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_REGISTER_FILE_H

#include "emulator/amdgpu/jit/builder.h"
#include "emulator/amdgpu/jit/liveness.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

class RegisterFile {
public:
  explicit RegisterFile(Builder &builder);
  /// Emits the load of SCC, which every entry needs, at the builder's place.
  void load_scc();

  // Where the translation is.

  /// Translation goes on in `block`, at whose start State has all registers.
  void begin(Block *block, unsigned segment, bool lane_on);
  bool lane_on() const { return on; }
  unsigned segment() const { return current; }
  unsigned new_segment() { return liveness.add_segment(); }
  /// Control may go on in `segment`.
  void edge_to(unsigned segment) { liveness.edge(current, segment); }
  /// What follows is reached from here alone: registers stay as they are.
  void continue_in_new_segment();

  // Operands. Types: i32 and i64; i1 for a lane's bit and for SCC.

  Value *read32(const Inst *i, Operand o);
  Value *read64(const Inst *i, Operand o);
  /// A type's registers, zero-extended to i64.
  Value *read(const Inst *i, Operand o, unsigned registers);
  /// Into scalar registers, whether the lane is on or not.
  void write_scalar(Operand o, Value *value, unsigned bytes);
  /// Into the lane's element of one or two rows; nothing when it is off.
  void write_vector(Operand o, Value *value, unsigned registers);
  /// One register, i32, of either kind.
  void write32(Operand o, unsigned more, Value *value);
  Value *lane_bit(const Inst *i, Operand o); // of a mask operand
  /// The lane's bit, if it is on; all others' become 0.
  void write_mask(Operand o, Value *bit);
  Value *scc();
  void write_scc(Value *bit);
  /// An element of a row, this lane's or another's: its address in State, which
  /// holds it.
  Value *element(Operand row, Value *lane);
  /// What State holds is read into the lane's virtual register.
  void reload(Operand o);

  // Values known while translating, of scalar registers and of SCC. A write
  // ends what is known.

  std::optional<u32> known(const Inst *i, Operand o, unsigned more = 0) const;
  void learn(Operand o, unsigned more, u32 value);
  std::optional<bool> known_scc() const { return constant_scc; }
  void learn_scc(bool value) { constant_scc = value; }

  // State.

  /// State holds every register.
  void flush();
  /// The same where `there` is, which this position branches to.
  void write_back(llvm::IRBuilder<> &there);
  unsigned dirty_count() const { return unsigned(dirty.size()); }
  /// What State does not hold yet; for positions with two successors.
  struct Dirty {
    llvm::SetVector<unsigned> registers;
    bool scc = false;
  };
  Dirty unsaved() const { return {dirty, scc_dirty}; }
  void set_unsaved(Dirty saved);
  /// Changes whenever write_back() would do something else than before.
  unsigned version() const { return changes; }
  /// After all code is translated.
  void solve() { liveness.solve(unsigned(registers.size())); }
  /// Reads what a segment needs from State, where `ir` is.
  void load_live(unsigned segment);
  /// False if something wrote EXEC as if it were any other register.
  bool consistent() const { return !wrote_exec; }

private:
  struct Register {
    u32 offset; // in State
    llvm::AllocaInst *variable;
  };
  u32 offset_of(Operand operand) const;
  unsigned number_of(u32 offset);
  Value *get(u32 offset);
  void set(u32 offset, Value *value);

  Builder &b;
  Liveness liveness;
  std::vector<Register> registers; // by number
  llvm::DenseMap<u32, unsigned> numbers;
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
