//===-- emulator/machine/block_scheduler.cpp - Start and end of blocks ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps enough blocks resident that no worker waits for one to be built, starts
// more when the resident ones get nowhere, and stays within the bounds of
// Scheduler::Options. Scheduler::lock is held, but not while a block is built.
//===----------------------------------------------------------------------===//
#include "emulator/machine/report.h"
#include "emulator/machine/resident_block.h"
#include "emulator/machine/scheduler.h"

#include <algorithm>

namespace gpuexec::emulator {

namespace {
/// Enough that a worker never waits for a block to be built.
constexpr uint32_t ACTIVE_WAVES_PER_WORKER = 4;
/// Enough that the host has answered a call when its wave's turn comes.
constexpr uint32_t SLEEPING_WAVES_PER_WORKER = 16;
/// The resident waves may be waiting for a block that is not resident when no
/// block has begun or ended for STALL_ROUNDS slices of each wave and, while
/// they keep the workers busy, STALL_SLICES_PER_WORKER slices of each worker.
constexpr uint64_t STALL_SLICES_PER_WORKER = 64;
constexpr uint64_t STALL_ROUNDS = 4;
/// Waves that only poll may be waiting for such a block after 100 us: the host
/// answers most calls in less.
constexpr uint64_t IDLE_TICKS = CLOCK_HZ / 10'000;
constexpr size_t MAX_FREE_BLOCKS = 64;
} // namespace

uint32_t &Scheduler::sleep_count(const WaveSlot &slot) {
  return slot.idle_poll ? polling_waves : sleeping_waves;
}

// Whether the state of the resident waves is a reason to start another block.
bool Scheduler::wants_more_blocks() {
  // The waves of a held block are no work for this worker.
  if (batch || !resident_waves || (held_blocks && queue.empty()))
    return true;
  uint64_t threads = options.threads;
  bool busy = active_waves >= threads * ACTIVE_WAVES_PER_WORKER ||
              sleeping_waves >= threads * SLEEPING_WAVES_PER_WORKER;
  if (!busy && !polling_waves)
    return true;
  uint64_t slices = slices_stalled / STALL_PER_SLICE;
  if (slices < resident_waves * STALL_ROUNDS)
    return false;
  if (busy ? slices < threads * STALL_SLICES_PER_WORKER
           : !options.lockstep && idle_streak &&
                 clock_now() - idle_since < IDLE_TICKS)
    return false;
  // The block that they wait for may be many blocks further: start several.
  batch = 1 + resident_waves / 4;
  return true;
}

std::shared_ptr<Launch> Scheduler::next_launch_to_start() {
  if (launches.empty() || !wants_more_blocks())
    return nullptr;
  for (auto &launch : launches) {
    if (launch->next_block >= launch->total_blocks)
      continue;
    if (!resident_waves)
      return launch;
    if (resident_waves + waves_per_block(*launch) <=
            options.max_resident_waves &&
        resident_bytes + block_bytes(*launch) <= options.max_resident_bytes)
      return launch;
    break; // in order: smaller blocks must not overtake a large one for ever
  }
  batch = 0;
  return nullptr;
}

// Starts one more block if wants_more_blocks() says so and it fits. True if the
// scheduler's state has changed: the caller looks at it again.
bool Scheduler::start_block(AddressSpace::Reader &reader,
                            std::unique_lock<std::mutex> &guard) {
  if (parked)
    return false;
  std::shared_ptr<Launch> launch = next_launch_to_start();
  if (!launch)
    return false;
  uint64_t index = launch->next_block++;
  uint32_t waves = waves_per_block(*launch);
  uint64_t bytes = block_bytes(*launch);
  batch -= std::min(batch, waves);
  resident_waves += waves;
  resident_bytes += bytes;
  active_waves += waves; // so that other workers do not start too many
  peak_waves = std::max(peak_waves, resident_waves);
  slices_stalled = 0;
  ++launch->building_blocks;
  std::unique_ptr<ResidentBlock> block;
  if (!launch->free_blocks.empty()) {
    block = std::move(launch->free_blocks.back());
    launch->free_blocks.pop_back();
  }
  guard.unlock();
  if (!block)
    block = std::make_unique<ResidentBlock>();
  reader.enter();
  bool built = block->build(*launch, index);
  reader.leave();
  guard.lock();
  --launch->building_blocks;
  active_waves -= waves;
  uint32_t live = block->waves; // a partial block may have fewer
  if (!built) {
    if (!launch->dispatch.stop.exchange(true)) {
      FaultReport report; // Kind::none: it is not the program's fault
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
  ++launch->resident_blocks;
  ResidentBlock &there = *block;
  launch->resident.push_front(std::move(block));
  there.place = launch->resident.begin();
  there.live = live;
  there.at_barrier = 0;
  for (uint32_t i = 0; i < live; ++i)
    there.slots[i].state = WaveState::ready;
  there.together = live > 1 && !options.lockstep;
  if (there.together) {
    run_block(there, reader, guard);
    return true;
  }
  for (uint32_t i = 0; i < live; ++i)
    push(there.slots[i]);
  return true;
}

void Scheduler::remove_block(ResidentBlock &block) {
  Launch &launch = *block.launch;
  resident_waves -= block.waves;
  resident_bytes -= block_bytes(launch);
  --launch.resident_blocks;
  std::unique_ptr<ResidentBlock> owner = std::move(*block.place);
  launch.resident.erase(block.place);
  if (launch.next_block < launch.total_blocks &&
      launch.free_blocks.size() < MAX_FREE_BLOCKS)
    launch.free_blocks.push_back(std::move(owner));
}

// Ends the waves of a stopped launch, except those that run: they end with
// their slices.
void Scheduler::end_waves(Launch &launch) {
  launch.next_block = launch.total_blocks;
  std::erase_if(queue,
                [&](WaveSlot *slot) { return slot->block->launch == &launch; });
  for (auto next = launch.resident.begin(); next != launch.resident.end();) {
    ResidentBlock &block = **next++;
    for (WaveSlot &slot : block.slots) {
      if (slot.state == WaveState::running || slot.state == WaveState::ended)
        continue;
      if (slot.state == WaveState::ready)
        --active_waves;
      if (slot.state == WaveState::sleeping)
        --sleep_count(slot);
      add_counters(launch, *slot.wave);
      if (slot.sample_wanted)
        sample(slot);
      slot.state = WaveState::ended;
      --block.live;
    }
    if (!block.live)
      remove_block(block);
  }
}

// Removes a launch that has nothing left to run and calls its `done`, without
// the lock.
void Scheduler::finish_if_over(std::shared_ptr<Launch> launch,
                               std::unique_lock<std::mutex> &guard) {
  if (launch->resident_blocks || launch->building_blocks ||
      launch->next_block < launch->total_blocks)
    return;
  auto found = std::find(launches.begin(), launches.end(), launch);
  if (found == launches.end())
    return;
  launches.erase(found);
  if (quit && launches.empty())
    work_there.notify_all();
  guard.unlock();
  launch->ended = clock_now();
  launch->free_blocks.clear();
  if (launch->done)
    launch->done(*launch);
  launch.reset();
  guard.lock();
}

} // namespace gpuexec::emulator
