//===-- emulator/machine/admission.cpp - Blocks come and go ---------------===//
// How many blocks are resident: enough that no worker waits for one to be
// built, more when those there are get nowhere, and never more than the host's
// memory is meant to hold. The lock of scheduler.cpp guards all of it; blocks
// are built outside of it.
//===----------------------------------------------------------------------===//
#include "emulator/machine/report.h"
#include "emulator/machine/resident_group.h"
#include "emulator/machine/scheduler.h"

#include <algorithm>

namespace gpuexec::emulator {

namespace {
constexpr uint32_t ACTIVE_WAVES_PER_WORKER =
    4; // enough that a worker never waits for a block to be built
constexpr uint32_t RESTING_WAVES_PER_WORKER =
    16; // enough that a call's answer is there when its wave's turn comes
constexpr uint64_t STALL_SLICES_PER_WORKER = 64;
constexpr uint64_t STALL_ROUNDS = 4; // of slices for each wave there is
constexpr uint64_t IDLE_TICKS =
    CLOCK_HZ / 10'000; // 100 us: so long are most answers waited for
constexpr size_t SPARE_GROUPS = 64;
} // namespace

uint32_t &Scheduler::sleepers_like(const WaveSlot &slot) {
  return slot.looked ? looking_waves : resting_waves;
}

// What the waves that are resident give reason for.
bool Scheduler::more_wanted() {
  if (batch || !resident_waves)
    return true;
  uint64_t threads = options.threads;
  bool busy = active_waves >= threads * ACTIVE_WAVES_PER_WORKER ||
              resting_waves >= threads * RESTING_WAVES_PER_WORKER;
  if (!busy && !looking_waves)
    return true;
  uint64_t slices = slices_stalled / STALL_PER_SLICE;
  if (slices < resident_waves * STALL_ROUNDS)
    return false;
  if (busy ? slices < threads * STALL_SLICES_PER_WORKER
           : idle_streak && clock_now() - idle_since < IDLE_TICKS)
    return false;
  // They may wait for one that is far behind.
  batch = 1 + resident_waves / 4;
  return true;
}

std::shared_ptr<Launch> Scheduler::next_to_admit() {
  if (launches.empty() || !more_wanted())
    return nullptr;
  for (auto &launch : launches) {
    if (launch->next_group >= launch->total_groups)
      continue;
    if (!resident_waves)
      return launch;
    if (resident_waves + waves_per_group(*launch) <=
            options.max_resident_waves &&
        resident_bytes + group_bytes(*launch) <= options.max_resident_bytes)
      return launch;
    break; // in order: a large block is not overtaken for ever
  }
  batch = 0;
  return nullptr;
}

// Makes one more block resident if there should be one. True when it did
// anything.
bool Scheduler::admit(AddressSpace::Reader &reader,
                      std::unique_lock<std::mutex> &guard) {
  if (parked)
    return false;
  std::shared_ptr<Launch> launch = next_to_admit();
  if (!launch)
    return false;
  uint64_t index = launch->next_group++;
  uint32_t waves = waves_per_group(*launch);
  uint64_t bytes = group_bytes(*launch);
  batch -= std::min(batch, waves);
  resident_waves += waves;
  resident_bytes += bytes;
  active_waves += waves; // so that others do not admit too many meanwhile
  peak_waves = std::max(peak_waves, resident_waves);
  slices_stalled = 0;
  ++launch->building_groups;
  std::unique_ptr<ResidentGroup> group;
  if (!launch->spare.empty()) {
    group = std::move(launch->spare.back());
    launch->spare.pop_back();
  }
  guard.unlock();
  if (!group)
    group = std::make_unique<ResidentGroup>();
  reader.enter();
  bool built = group->build(*launch, index);
  reader.leave();
  guard.lock();
  --launch->building_groups;
  active_waves -= waves;
  uint32_t live = group->group.waves; // a partial block may have fewer
  if (!built) {
    if (!launch->dispatch.stop.exchange(true)) {
      FaultReport report; // Kind::none: nothing that the program did
      report.text = "the host has no memory for a block of " +
                    std::to_string(bytes) + " bytes";
      report.site.kernel = launch->kernel->name();
      launch->report = std::move(report);
    }
  }
  if (!built || launch->dispatch.stop) {
    resident_waves -= waves;
    resident_bytes -= bytes;
    end_waves(*launch);
    finish_if_over(launch, guard);
    return true;
  }
  resident_waves -= waves - live;
  active_waves += live;
  ++launch->resident_groups;
  ResidentGroup &there = *group;
  launch->resident.push_front(std::move(group));
  there.place = launch->resident.begin();
  there.live = live;
  there.at_barrier = 0;
  for (uint32_t i = 0; i < live; ++i) {
    there.waves[i].state = WaveState::ready;
    push(there.waves[i]);
  }
  return true;
}

void Scheduler::remove_group(ResidentGroup &group) {
  Launch &launch = *group.launch;
  resident_waves -= group.group.waves;
  resident_bytes -= group_bytes(launch);
  --launch.resident_groups;
  std::unique_ptr<ResidentGroup> owner = std::move(*group.place);
  launch.resident.erase(group.place);
  if (launch.next_group < launch.total_groups &&
      launch.spare.size() < SPARE_GROUPS)
    launch.spare.push_back(std::move(owner));
}

// Ends all waves of a stopped launch that do not run right now; those that do
// follow when their slices end.
void Scheduler::end_waves(Launch &launch) {
  launch.next_group = launch.total_groups;
  std::erase_if(queue,
                [&](WaveSlot *slot) { return slot->group->launch == &launch; });
  for (auto next = launch.resident.begin(); next != launch.resident.end();) {
    ResidentGroup &group = **next++;
    for (WaveSlot &slot : group.waves) {
      if (slot.state == WaveState::running || slot.state == WaveState::ended)
        continue;
      if (slot.state == WaveState::ready)
        --active_waves;
      if (slot.state == WaveState::sleeping)
        --sleepers_like(slot);
      add_counters(launch, *slot.wave);
      if (slot.sample_wanted)
        sample(slot);
      slot.state = WaveState::ended;
      --group.live;
    }
    if (!group.live)
      remove_group(group);
  }
}

// Takes a launch that has nothing left off the list and tells its owner,
// without the lock.
void Scheduler::finish_if_over(std::shared_ptr<Launch> launch,
                               std::unique_lock<std::mutex> &guard) {
  if (launch->resident_groups || launch->building_groups ||
      launch->next_group < launch->total_groups)
    return;
  auto found = std::find(launches.begin(), launches.end(), launch);
  if (found == launches.end())
    return;
  launches.erase(found);
  if (quit && launches.empty())
    work_there.notify_all();
  guard.unlock();
  launch->ended = clock_now();
  launch->spare.clear();
  if (launch->done)
    launch->done(*launch);
  launch.reset();
  guard.lock();
}

} // namespace gpuexec::emulator
