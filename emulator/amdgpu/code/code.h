//===-- emulator/amdgpu/code/code.h - Decoded code, cached ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One Code per loaded code segment. Blocks are decoded when control first
// reaches them and never change afterwards; waves of all threads share them.
// Looking a block up is one acquire load; decoding takes the lock.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_CODE_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_CODE_H

#include "emulator/amdgpu/code/coverage.h"
#include "emulator/amdgpu/code/decode_ahead.h"
#include "emulator/amdgpu/definedness/check.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

namespace gpuexec::emulator::amdgpu {

/// For which purposes micro-ops are added to those of the instructions.
struct Watch {
  bool counts = false;   // statistics
  bool checks = false;   // --check=uninit
  bool preempts = false; // lockstep: a slice may end at each access to memory
  auto operator<=>(const Watch &) const = default;
};

class Code {
public:
  /// Code in [begin, end), host addresses of live memory.
  static llvm::Expected<std::shared_ptr<Code>>
  create(llvm::StringRef cpu, u64 begin, u64 end, Watch watch,
         bool wave32 = false, Coverage *coverage = nullptr);

  u64 begin() const { return first; }
  u64 end() const { return last; }

  /// The block that starts at address `pc`, or null if that is not in here or
  /// not aligned.
  const Inst *find(u64 pc) {
    u64 offset = pc - first;
    if (offset >= last - first || (offset & 3))
      return nullptr;
    const Inst *block = slots[offset / 4].load(std::memory_order_acquire);
    return block ? block : decode(offset);
  }
  /// Like find(), but does not make the block visited().
  const Inst *look_at(u64 pc) {
    u64 offset = pc - first;
    return offset < last - first && !(offset & 3) ? decode(offset, true)
                                                  : nullptr;
  }
  /// True if find() was called for `pc`: control has been there.
  bool visited(u64 pc) const {
    u64 offset = pc - first;
    return offset < last - first && !(offset & 3) &&
           slots[offset / 4].load(std::memory_order_relaxed);
  }
  /// See State::blocks.
  const std::atomic<const Inst *> *visited_blocks() const {
    return slots.get();
  }
  /// A block: its first micro-op, and the offset of the instruction that it
  /// begins with, which may have no micro-ops.
  struct BlockStart {
    const Inst *first;
    u64 offset;
  };
  /// The block that `inst` belongs to.
  BlockStart block_of(const Inst *inst) {
    std::lock_guard lock(mutex);
    auto [first, offset] = *std::prev(starts.upper_bound(inst));
    return {first, offset};
  }
  /// True if no micro-ops were added (Watch, coverage): the same bytes make the
  /// same micro-ops in each process.
  bool is_plain() const { return watch == Watch() && !coverage; }
  /// True if it is decoded for waves of 32 lanes.
  bool wave32() const;
  /// Null without statistics.
  const BasicBlocks *basic_blocks() const { return counted.get(); }
  /// After a fault at `at`: the counts of the instructions behind it in its
  /// basic block. They were counted and not executed.
  BasicBlock rest_of_basic_block(const Inst *at);
  /// How many instructions have been decoded. An instruction that belongs to
  /// several blocks counts once for each.
  u64 instructions_decoded() {
    std::lock_guard lock(mutex);
    return decoded;
  }
  /// Disassembly of the instruction at `pc`.
  std::string print(u64 pc);

private:
  Code(u64 begin, u64 end, Watch watch)
      : first(begin), last(end), watch(watch) {}
  const Inst *decode(u64 offset, bool only_look = false);

  u64 first, last;
  Watch watch;
  Coverage *coverage = nullptr;
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<std::atomic<const Inst *>[], Free> slots; // by dword
  std::mutex mutex; // guards the members below
  TakenDisassembler disassembler;
  std::unique_ptr<BasicBlocks> counted;
  std::vector<std::unique_ptr<Inst[]>> blocks;
  std::map<const Inst *, u64> starts; // first micro-op of a block -> its offset
  u64 decoded = 0;
  std::deque<std::string> texts;
  std::deque<definedness::Plan> plans;
  std::map<u64, const Inst *> looked_at; // by offset: blocks of look_at() alone
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_CODE_H
