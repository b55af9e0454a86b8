//===-- emulator/amdgpu/baseline/batch.h - Blocks become machine code ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_BASELINE_BATCH_H
#define GPUEXEC_EMULATOR_AMDGPU_BASELINE_BATCH_H

#include "emulator/amdgpu/baseline/block_code.h"
#include "emulator/amdgpu/baseline/compiler.h"

#include <deque>
#include <map>
#include <vector>

namespace gpuexec::emulator::amdgpu::baseline {

/// The code of a block, twice: OFF is for waves whose lane is off, ON for those
/// whose lane is on; of waves of many lanes, for any lanes and for all.
enum Stream : unsigned { OFF, ON, STREAMS };

/// One call of Compiler::compile().
class Batch {
public:
  Batch(Code &code, Waves waves, const std::atomic<u64> *epoch,
        unsigned &caches, std::map<const Inst *, u64> &counters, u64 address,
        u64 constants)
      : code(code), wide(waves == Waves::of_many_lanes), epoch(epoch),
        caches(caches), counters(counters), out(address, constants) {}

  /// Appends the code of the block that begins with `head`.
  void block(const Inst *head);
  /// How many micro-ops were translated.
  unsigned translated() const { return count; }
  /// Blocks that control went to from translated blocks.
  std::deque<const Inst *> successors;
  /// Where compiled code may be entered.
  struct Entry {
    const Inst *inst;
    Label at[STREAMS];
  };
  std::vector<Entry> entries;
  /// To be called once, behind the last block; the batch keeps the code.
  BlockCode &finish();

private:
  void stream(const Inst *head, unsigned size, bool on);
  void count_passes(const Inst *i);
  unsigned whole_registers(const Inst *first, bool on);
  const Stencil *choose(const Inst *i, bool on) const;
  unsigned micro_op(const Inst *i, bool on);
  void connect(const Inst *i, bool on, Filling &fill);
  void put_literal(const Inst *i);
  void come_back_at(const Inst *i);
  Filling filling(const Inst *i, bool on);
  Label leave(const Inst *i, bool on);
  void add_entries();
  Label head_label(const Inst *head, bool on);
  void stubs();
  void add_leave(const Inst *i, bool on);
  void follow(const Inst *i);

  Code &code;
  const bool wide;
  const std::atomic<u64> *epoch;
  unsigned &caches;
  std::map<const Inst *, u64> &counters;
  BlockCode out;
  unsigned count = 0;
  std::vector<Label> labels[STREAMS]; // of the block's micro-ops
  std::map<std::pair<const Inst *, bool>, Label> heads; // of blocks
  std::vector<const Inst *> reentered; // micro-ops behind those left out
  const Inst *first = nullptr;
  struct Stub {
    Label label;
    Special special;
    const Inst *inst;
    bool on;
  };
  std::vector<Stub> wanted;
};

} // namespace gpuexec::emulator::amdgpu::baseline

#endif // GPUEXEC_EMULATOR_AMDGPU_BASELINE_BATCH_H
