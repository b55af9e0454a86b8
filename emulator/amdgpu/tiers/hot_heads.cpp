//===-- emulator/amdgpu/tiers/hot_heads.cpp - What LLVM compiles, and when ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tiers/hot_heads.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu::jit {

/// Samples of a head after which LLVM compiles it, by tier. A slice is tens of
/// microseconds; compiling takes some milliseconds, or some hundred. What the
/// baseline compiler has translated skips the quick tier: its code is as fast.
static constexpr unsigned HOT[TIERS] = {3, 300};
/// For tests (GPUEXEC_EMULATOR_JIT=eager): every sample is compiled, and the
/// wave waits for it, so that short programs run compiled code too.
static constexpr unsigned EAGER[TIERS] = {1, 2};
/// After every DOUBT samples of a region's entry the profiler checks how often
/// control left the region for code that was cold. At LEFT_OFTEN times for each
/// sample the region is compiled again; a region is compiled MOST_COMPILED
/// times at most.
static constexpr unsigned DOUBT = 4000, LEFT_OFTEN = 4, MOST_COMPILED = 2;
/// A region is compiled when the process has run for a quarter of the time that
/// this will take.
static constexpr unsigned INSTRUCTIONS_PER_MS[TIERS] = {100, 8};

unsigned HotHeads::samples_of(i64 length) {
  return unsigned(std::max<i64>(length / SAMPLED_SLICE, 1));
}

void HotHeads::doubt_region(const Inst *head, unsigned more, Passes passes) {
  const Head &found = heads[head];
  if (found.samples % DOUBT >= more || found.compiled >= MOST_COMPILED)
    return;
  auto it = left_out.find(head);
  if (it == left_out.end())
    return;
  LeftOut &out = it->second;
  const u64 now = passes(out.places);
  if (now - out.passes > u64(DOUBT) * LEFT_OFTEN)
    covered[unsigned(Tier::optimised)].erase(head);
  out.passes = now;
}

std::optional<Tier> HotHeads::wanted(const Inst *head, bool has_baseline,
                                     Clock::time_point now) {
  const unsigned *enough = eager ? EAGER : HOT;
  const Head &found = heads[head];
  if (found.queued)
    return std::nullopt;
  for (Tier tier : {Tier::quick, Tier::optimised})
    if (!is_covered(head, tier) && (tier != Tier::quick || !has_baseline))
      return found.samples >= enough[unsigned(tier)] && now >= found.postponed
                 ? std::optional(tier)
                 : std::nullopt;
  return std::nullopt;
}

bool HotHeads::is_more_urgent(const Request &first, const Request &second) {
  auto urgency = [&](const Request &request) {
    return std::pair(request.tier == Tier::quick, samples(request.head));
  };
  return urgency(first) > urgency(second);
}

u32 HotHeads::worth(Tier tier, Clock::time_point now) const {
  return eager ? ~0u
               : u32(INSTRUCTIONS_PER_MS[unsigned(tier)] *
                     std::chrono::duration_cast<std::chrono::milliseconds>(
                         now - began)
                         .count());
}

void HotHeads::postpone(const Inst *head, Tier tier, u32 instructions) {
  const unsigned speed = INSTRUCTIONS_PER_MS[unsigned(tier)];
  heads[head].postponed =
      began + std::chrono::milliseconds(instructions / speed + 1);
}

void HotHeads::compiled(const Inst *head, Tier tier, const Result &result,
                        Passes passes) {
  std::set<const Inst *> &of_tier = covered[unsigned(tier)];
  of_tier.insert(head);
  if (result.code.bytes.empty()) { // not worth compiling, now or later
    left_out.erase(head);
    return;
  }
  // Control may still come from outside to blocks of the region that are no
  // entries. It finds their earlier code, so they may become hot heads.
  for (const Inst *block : result.covered)
    heads[block].samples = 0;
  const u64 now = passes(result.left_for);
  for (auto [inst, shape] : result.entries) {
    of_tier.insert(inst);
    ++heads[inst].compiled;
    if (tier == Tier::optimised)
      left_out[inst] = {result.left_for, now};
  }
}

void HotHeads::found_on_disk(const Inst *head, const std::set<Tier> &tiers) {
  for (Tier tier : tiers) {
    covered[unsigned(tier)].insert(head);
    covered[unsigned(Tier::quick)].insert(head); // the other is better
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
