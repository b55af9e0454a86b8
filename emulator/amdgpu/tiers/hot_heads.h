//===-- emulator/amdgpu/tiers/hot_heads.h - What LLVM compiles --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hotness profiler's sample counts, and the decisions that follow from
// them: which head LLVM compiles next, in which tier, and when a region is
// compiled again. The class reads no clock: callers pass the time.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TIERS_HOT_HEADS_H
#define GPUEXEC_EMULATOR_AMDGPU_TIERS_HOT_HEADS_H

#include "emulator/amdgpu/jit/jit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace gpuexec::emulator::amdgpu::jit {

/// Not thread-safe.
class HotHeads {
public:
  using Clock = std::chrono::steady_clock;

  /// The longest slice of a wave in code that is not settled, in instructions;
  /// what one sample stands for.
  static constexpr i64 SAMPLED_SLICE = 8192;
  /// The number of samples that a slice of `length` instructions counts as: at
  /// least 1.
  static unsigned samples_of(i64 length);

  /// `began`: when the process did.
  explicit HotHeads(Clock::time_point began) : began(began) {}

  /// For tests: every sample is compiled.
  void be_eager() { eager = true; }

  /// A slice ended at `head`, and counts as `more` samples.
  void sampled(const Inst *head, unsigned more) { heads[head].samples += more; }
  unsigned samples(const Inst *head) { return heads[head].samples; }

  /// Baseline code and code on disk have been looked for.
  bool is_known(const Inst *head) { return heads[head].is_known; }
  void set_known(const Inst *head) { heads[head].is_known = true; }

  /// Sums how often control came to each of these places.
  using Passes = llvm::function_ref<u64(const std::vector<const Inst *> &)>;
  /// Call it after `head` was sampled `more` times. Code that was cold when the
  /// region of `head` was compiled may be hot now: then wanted() asks for the
  /// region once more, with that code.
  void doubt_region(const Inst *head, unsigned more, Passes passes);

  /// The tier in which LLVM shall compile the head now, if any. `has_baseline`:
  /// the baseline compiler has translated it.
  std::optional<Tier> wanted(const Inst *head, bool has_baseline,
                             Clock::time_point now);
  /// Notes whether a job for `head` is in the queue.
  void set_queued(const Inst *head, bool queued) {
    heads[head].queued = queued;
  }
  bool is_queued(const Inst *head) { return heads[head].queued; }
  /// Whether the first is compiled before the second: requests of the quick
  /// tier go first, then the head with more samples.
  bool is_more_urgent(const Request &first, const Request &second);

  /// The tier has compiled the head's region, or found it not worth compiling.
  bool is_covered(const Inst *head, Tier tier) const {
    return covered[unsigned(tier)].count(head);
  }
  /// LLVM's optimiser has compiled it: further samples decide nothing.
  bool is_settled(const Inst *head) const {
    return is_covered(head, Tier::optimised);
  }

  /// The most instructions that a region may have now. The end of a process
  /// waits for a compilation, so this grows with the time that it has run.
  u32 worth(Tier tier, Clock::time_point now) const;
  /// The region of `head` had more `instructions` than worth().
  void postpone(const Inst *head, Tier tier, u32 instructions);
  /// LLVM is done with the region of `head`.
  void compiled(const Inst *head, Tier tier, const Result &result,
                Passes passes);
  /// An earlier process has compiled `head` in `tiers`, or found it not worth
  /// compiling.
  void found_on_disk(const Inst *head, const std::set<Tier> &tiers);

private:
  struct Head {
    unsigned samples = 0, compiled = 0;
    bool queued = false, is_known = false;
    Clock::time_point postponed; // until then
  };
  /// What the optimiser left out of a region because it was cold.
  struct LeftOut {
    std::vector<const Inst *> places;
    u64 passes = 0; // at all of them, when the region was compiled
  };
  std::unordered_map<const Inst *, Head> heads;
  std::set<const Inst *> covered[TIERS];    // entries of LLVM's code
  std::map<const Inst *, LeftOut> left_out; // by entry
  const Clock::time_point began;
  bool eager = false;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_TIERS_HOT_HEADS_H
