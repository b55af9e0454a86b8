//===-- emulator/machine/wave_sampling.cpp - Samples and counters ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects where waves are, when somebody asks, and their counters, when they
// end. Scheduler::lock is held.
//===----------------------------------------------------------------------===//
#include "emulator/machine/resident_block.h"
#include "emulator/machine/scheduler.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace gpuexec::emulator {

static constexpr size_t MAX_REGION_NAME = 128;

// Adds the counters of a wave that has ended to its launch.
void Scheduler::add_counters(Launch &launch, const Wave &wave) {
  if (!launch.dispatch.count)
    return;
  const std::optional<Counters> counters = wave.counters();
  if (!counters)
    return;
  launch.counters += *counters;
  for (const char *name : wave.inexact_instructions())
    launch.inexact_instructions.insert(name);
  for (const RegionOfInterest &region : wave.regions_of_interest()) {
    std::string &name = launch.region_names[region.name];
    if (name.empty()) {
      // The program chose the address: it may be any, and the name may lack
      // its end. Read no further than the end of the region.
      name_reader.enter();
      const Region *memory_region = memory.find(region.name);
      for (uint64_t at = region.name;
           memory_region && at < memory_region->end &&
           name.size() < MAX_REGION_NAME;
           ++at) {
        char letter = __atomic_load_n(reinterpret_cast<const char *>(at),
                                      __ATOMIC_RELAXED);
        if (!letter)
          break;
        name += letter;
      }
      name_reader.leave();
      if (name.empty())
        name = "?";
    }
    launch.regions[name] += region.counters;
  }
}

void Scheduler::sample(WaveSlot &slot) {
  slot.sample_wanted = false;
  if (samples)
    samples->push_back(site_of(slot));
  if (--sample_pending == 0)
    sampled.notify_all();
}

std::vector<WaveSite> Scheduler::where(size_t limit) {
  std::lock_guard one_at_a_time(sample_mutex);
  std::vector<WaveSite> sites;
  std::unique_lock guard(lock);
  // Waves that run add their samples at the end of their slices.
  for (auto &launch : launches)
    for (auto &block : launch->resident)
      for (WaveSlot &slot : block->slots) {
        if (slot.state == WaveState::running) {
          sample_pending += !slot.sample_wanted;
          slot.sample_wanted = true;
        } else if (slot.state != WaveState::ended && sites.size() < limit) {
          sites.push_back(site_of(slot));
        }
      }
  samples = &sites;
  sampled.wait_for(guard, std::chrono::milliseconds(500),
                   [&] { return sample_pending == 0; });
  samples = nullptr;
  std::sort(sites.begin(), sites.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.block[2], a.block[1], a.block[0], a.wave) <
           std::tuple(b.block[2], b.block[1], b.block[0], b.wave);
  });
  if (sites.size() > limit)
    sites.resize(limit);
  return sites;
}

} // namespace gpuexec::emulator
