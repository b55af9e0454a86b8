//===-- emulator/amdgpu/tiers/random_tiers.cpp - Tiers at random ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tiers/random_tiers.h"

#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/level.h"

#include <algorithm>
#include <cstdio>
#include <random>

namespace gpuexec::emulator::amdgpu::jit {

/// A slice has up to 2^0, 2^1 ... 2^LONGEST instructions, equally often.
static constexpr unsigned LONGEST = 12;
/// Each executor's share of the samples, in the order of Executor.
static constexpr unsigned WEIGHTS[RandomTiers::EXECUTORS] = {4, 4, 3, 3, 2};
/// Instructions at which regions are cut off: one of these, at random. Small
/// regions test entering and leaving more often.
static constexpr u32 LARGEST_REGION[] = {8, 20, 60, 300, 2000};
/// Micro-ops for the baseline compiler at a time, at most.
static constexpr u32 LARGEST_BATCH = 256;
/// LLVM's optimiser makes about 60 bytes in a millisecond and takes ten for the
/// least region; the quick tier makes four times as much. This limits it to
/// a second at first, and later to a millisecond for a thousand samples.
static constexpr u64 BYTES_AT_FIRST = 60000, SAMPLES_PER_BYTE = 16,
                     BYTES_FOR_ANY = 600, QUICK_IS_FASTER = 4;

static u64 mix(u64 v) {
  v += 0x9e3779b97f4a7c15u;
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
  v = (v ^ v >> 27) * 0x94d049bb133111ebu;
  return v ^ v >> 31;
}
static u64 mix(u64 a, u64 b) { return mix(mix(a) ^ b); }

/// A number below `end`, drawn from `chance`, which changes.
static unsigned draw(u64 &chance, unsigned end) {
  chance = mix(chance);
  return unsigned((chance >> 32) * end >> 32);
}

const char *RandomTiers::name_of(Executor executor) {
  static constexpr const char *NAMES[EXECUTORS] = {
      "interpreter", "baseline", "quick", "optimised", "kept"};
  return NAMES[unsigned(executor)];
}

std::optional<RandomTiers::Mode> RandomTiers::parse(llvm::StringRef value) {
  Mode mode;
  mode.verbose = value.consume_back(",verbose");
  if (!value.consume_front("random"))
    return std::nullopt;
  if (value.empty()) {
    mode.seed = std::random_device()();
    return mode;
  }
  mode.is_given = true;
  if (!value.consume_front(":") || value.getAsInteger(10, mode.seed))
    return std::nullopt;
  return mode;
}

i64 RandomTiers::slice(const State &state, u64 number) const {
  u64 chance = mix(mode.seed, number);
  for (u32 id : state.block->id)
    chance = mix(chance, id);
  chance = mix(chance, state.wave_in_block);
  const unsigned longest = 1u << draw(chance, LONGEST + 1);
  return 1 + draw(chance, longest);
}

/// Reports the seed, once in a process.
void RandomTiers::report() const {
  static const bool once = [&] {
    if (!mode.is_given || mode.verbose)
      std::fprintf(stderr,
                   "gpuexec emulator: GPUEXEC_EMULATOR_JIT=random:%llu\n",
                   static_cast<unsigned long long>(mode.seed));
    return true;
  }();
  (void)once;
}

RandomTiers::Choice RandomTiers::choose(const Inst *head) {
  report();
  ++all_samples;
  u64 chance = mix(mix(mode.seed, head->pc), samples[head]++);
  unsigned all = 0, executor = 0;
  for (unsigned weight : WEIGHTS)
    all += weight;
  for (unsigned which = draw(chance, all); which >= WEIGHTS[executor];
       ++executor)
    which -= WEIGHTS[executor];
  Choice choice;
  choice.executor = Executor(executor);
  choice.only_warm = draw(chance, 2);
  choice.most =
      choice.executor == Executor::baseline
          ? 1 + draw(chance, LARGEST_BATCH)
          : LARGEST_REGION[draw(chance, unsigned(std::size(LARGEST_REGION)))];
  choice.chance = chance;
  return choice;
}

bool RandomTiers::may_compile() const {
  return spent < BYTES_AT_FIRST + all_samples / SAMPLES_PER_BYTE;
}

void RandomTiers::compiled(Tier tier, size_t bytes) {
  spent +=
      BYTES_FOR_ANY + (tier == Tier::quick ? bytes / QUICK_IS_FASTER : bytes);
}

void RandomTiers::add(Code &code, const Entry &entry, Executor executor,
                      Handler handler) {
  std::vector<Place> &all = places[code.block_of(entry.inst).first];
  auto place = std::find_if(all.begin(), all.end(), [&](const Place &known) {
    return known.inst == entry.inst && known.shape == entry.shape;
  });
  if (place == all.end()) {
    all.push_back({entry.inst, entry.shape});
    place = std::prev(all.end());
    Inst original = *entry.inst;
    assign_handlers(original, best_level());
    place->handlers[unsigned(Executor::interpreter)] = original.fn[entry.shape];
  }
  place->handlers[unsigned(executor)] = handler;
}

void RandomTiers::give(const Inst *head, const Choice &choice) const {
  auto found = places.find(head);
  if (found == places.end())
    return;
  if (mode.verbose)
    std::fprintf(stderr, "jit (random): offset 0x%x: %s\n", head->pc,
                 name_of(choice.executor));
  u64 chance = choice.chance;
  for (const Place &place : found->second) {
    const unsigned any = draw(chance, EXECUTORS);
    Handler handler =
        place.handlers[place.inst == head ? unsigned(choice.executor) : any];
    if (!handler)
      handler = place.handlers[unsigned(Executor::interpreter)];
    // Waves read it plainly, as HotnessProfiler::install says.
    __atomic_store_n(const_cast<Handler *>(&place.inst->fn[place.shape]),
                     handler, __ATOMIC_RELEASE);
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
