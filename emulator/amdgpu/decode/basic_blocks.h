//===-- emulator/amdgpu/decode/basic_blocks.h - Statistics of code --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wave does not count instructions one by one. The decoder cuts code that is
// decoded for statistics into basic blocks: code that is executed as a whole,
// with one value of EXEC. A wave counts how often it executed each basic block
// (Executions); the sums over instructions follow from that. A micro-op `count`
// begins each basic block; the interpreter and all compilers execute it alike.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_BASIC_BLOCKS_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_BASIC_BLOCKS_H

#include "emulator/amdgpu/ops/types.h"
#include "emulator/machine/statistics.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace gpuexec::emulator::amdgpu {

struct Operation;
struct MemoryAccess;

/// How often one wave executed a basic block.
struct Executions {
  ops::u64 others; ///< times that not exactly one lane was on
  ops::u64 alone;  ///< times that exactly one lane was on
  ops::u64 lanes;  ///< sum over `others`: lanes that were on
};

/// A basic block: what each execution of it adds to the counters.
struct BasicBlock {
  ops::u32 number = 0; ///< index of its Executions; 0: none (BasicBlocks::add)
  ops::u32 end = 0;    ///< offset in the code behind its last instruction
  ops::u32 instructions[INSTRUCTION_CLASSES] = {};
  ops::u32 vector_instructions = 0; ///< ALU and memory
  ops::u32 lanes_of_wave = 64;
  ops::u32 branches = 0;            ///< conditional ones
  /// Accesses to global memory of an execution with exactly one lane on, as if
  /// each touched one cache line. The micro-op `count_access`, which sees the
  /// addresses, counts a second cache line, and all accesses of several lanes.
  ops::u32 accesses = 0, bytes_read = 0, bytes_written = 0;

  void add(const Operation &operation);
  void add_access(const MemoryAccess &access);
  void add_to(Counters &counters, const Executions &executions) const;
};

/// The basic blocks of one Code. Code's lock is held in add() and publish();
/// the rest is for any thread.
class BasicBlocks {
public:
  /// `code_size`: bytes of code.
  explicit BasicBlocks(ops::u64 code_size);

  /// Adds an empty basic block. If there are too many it gets no number: then
  /// the micro-op `count` adds to the wave's Counters at once.
  BasicBlock &add();
  /// Says that waves may now execute the basic blocks that were added.
  void publish() { published.store(used, std::memory_order_release); }

  /// Notes that `block` has an instruction whose results may differ from
  /// hardware's.
  void add_inexact(const BasicBlock &block, const Operation &operation);
  /// The names of those instructions that were executed. In a block without a
  /// number, every decoded instruction counts as executed.
  std::set<const char *> inexact(const Executions *executions) const;

  /// Elements of a wave's array of Executions; element 0 is not used.
  ops::u32 capacity() const { return size; }
  void add_to(Counters &counters, const Executions *executions) const;
  void clear(Executions *executions) const;

private:
  struct Free {
    void operator()(void *memory) const;
  };
  ops::u32 size, used = 1;
  std::unique_ptr<BasicBlock[], Free> blocks; // the host gives pages as needed
  std::deque<BasicBlock> unnumbered;
  std::atomic<ops::u32> published = 1;
  mutable std::mutex mutex;                                 // guards inexact_in
  std::map<const char *, std::vector<ops::u32>> inexact_in; // name: blocks
};

/// A wave's array of Executions, zeroed. The host gives pages as needed.
class ExecutionTable {
public:
  explicit ExecutionTable(ops::u32 capacity);
  ~ExecutionTable();
  ExecutionTable(const ExecutionTable &) = delete;
  ExecutionTable &operator=(const ExecutionTable &) = delete;
  Executions *begin() const { return table; }

private:
  size_t bytes;
  Executions *table;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_BASIC_BLOCKS_H
