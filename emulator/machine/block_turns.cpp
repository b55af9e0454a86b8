//===-- emulator/machine/block_turns.cpp - A worker runs a whole block ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a worker runs a block alone, all waves of it that have not ended are
// WaveState::running for everybody else, and the block's counts are those of
// the turn's begin. WaveSlot::held and the counts of BlockTurn belong to the
// worker, which needs no lock.
//===----------------------------------------------------------------------===//
#include "emulator/machine/report.h"
#include "emulator/machine/resident_block.h"
#include "emulator/machine/scheduler.h"

#include <algorithm>

namespace gpuexec::emulator {

/// A block's turn: it ends when the waves have executed `budget` instructions
/// in all, at the end of a round in which each wave ran once.
struct Scheduler::BlockTurn {
  uint64_t slice = 0, budget = 0;
  uint32_t active_before = 0; ///< waves that were ready when it began
  uint32_t live = 0, at_barrier = 0;
  uint64_t slices = 0;
  WaveSlot *left = nullptr; ///< the wave that ended it: it sleeps, or failed
  Stop stop = Stop::budget; ///< why `left` stopped
  void run(ResidentBlock &block);

private:
  bool run(WaveSlot &slot);
};

/// One slice of one wave. False when it ends the turn.
bool Scheduler::BlockTurn::run(WaveSlot &slot) {
  ++slices;
  stop = slot.wave->run(slice);
  switch (stop) {
  case Stop::budget:
    break;
  case Stop::barrier:
    slot.held = WaveState::barrier;
    ++at_barrier;
    break;
  case Stop::ended:
    slot.held = WaveState::ended;
    --live;
    break;
  case Stop::fault:
  case Stop::sleep:
    left = &slot;
    return false;
  }
  return !slot.block->dispatch->stop;
}

void Scheduler::BlockTurn::run(ResidentBlock &block) {
  uint64_t done = 0;
  while (live && done < budget) {
    for (WaveSlot &slot : block.slots) {
      if (slot.held != WaveState::ready)
        continue;
      if (!run(slot))
        return;
      done += std::max<uint64_t>(slot.wave->last_run_length(), 1);
    }
    if (at_barrier < live)
      continue;
    at_barrier = 0;
    for (WaveSlot &slot : block.slots)
      if (slot.held == WaveState::barrier)
        slot.held = WaveState::ready;
  }
}

std::shared_ptr<Launch> Scheduler::shared(const Launch &launch) const {
  for (auto &known : launches)
    if (known.get() == &launch)
      return known;
  return nullptr;
}

/// False when other workers have nothing to do but to take waves of the block.
bool Scheduler::stays_together(const ResidentBlock &block) const {
  const Launch &launch = *block.launch;
  return launch.next_block < launch.total_blocks || !queue.empty() ||
         (workers.size() == options.threads && !idle_workers);
}

Scheduler::BlockTurn Scheduler::begin_block_turn(ResidentBlock &block) {
  BlockTurn turn;
  turn.slice = options.slice;
  turn.live = block.live;
  turn.at_barrier = block.at_barrier;
  turn.budget = options.slice * (stays_together(block) ? block.live : 1);
  for (WaveSlot &slot : block.slots) {
    slot.held = slot.state;
    turn.active_before += slot.state == WaveState::ready;
    if (slot.state != WaveState::ended)
      slot.state = WaveState::running;
  }
  ++running_waves;
  ++held_blocks;
  return turn;
}

/// From now on any worker runs the block's waves.
void Scheduler::separate(ResidentBlock &block) {
  block.together = false;
  for (WaveSlot &slot : block.slots)
    if (slot.state == WaveState::ready)
      push(slot);
}

/// Gives the waves the states that they have now. True if this worker should
/// run the block's next turn at once.
bool Scheduler::end_block_turn(ResidentBlock &block, const BlockTurn &turn,
                               std::unique_lock<std::mutex> &guard) {
  Launch &launch = *block.launch;
  --running_waves;
  --held_blocks;
  slices_stalled += STALL_PER_SLICE * turn.slices;
  active_waves -= turn.active_before;
  block.live = turn.live;
  block.at_barrier = turn.at_barrier;
  for (WaveSlot &slot : block.slots) {
    if (slot.state != WaveState::running)
      continue; // it had ended before
    if (slot.held == WaveState::ended)
      add_counters(launch, *slot.wave);
    active_waves += slot.held == WaveState::ready;
    if (&slot == turn.left)
      continue; // end_slice() has the rest
    // A sample tells the state; a wave that has just ended counts as running.
    if (slot.held != WaveState::ended)
      slot.state = slot.held;
    if (slot.sample_wanted)
      sample(slot);
    slot.state = slot.held;
  }
  if (turn.left) {
    separate(block);
    end_slice(*turn.left, turn.stop, guard);
    return false;
  }
  idle_streak = 0;
  if (parked) {
    sampled.notify_all();
    return false; // nothing is run again
  }
  if (launch.dispatch.stop) {
    std::shared_ptr<Launch> keep = shared(launch);
    end_waves(launch);
    finish_if_over(std::move(keep), guard);
    return false;
  }
  if (!block.live) {
    slices_stalled = 0;
    std::shared_ptr<Launch> keep = shared(launch);
    remove_block(block);
    finish_if_over(std::move(keep), guard);
    return false;
  }
  if (!stays_together(block)) {
    separate(block);
    return false;
  }
  if (queue.empty() && !memory.has_retired() && !next_launch_to_start())
    return true;
  push(*std::find_if(
      block.slots.begin(), block.slots.end(),
      [](const WaveSlot &slot) { return slot.state == WaveState::ready; }));
  return false;
}

/// Runs the block until its turn is over and others want to run, or until its
/// waves part. The lock is held when it begins and ends.
void Scheduler::run_block(ResidentBlock &block, AddressSpace::Reader &reader,
                          std::unique_lock<std::mutex> &guard) {
  Launch &launch = *block.launch;
  if (launch.next_block < launch.total_blocks || !queue.empty())
    wake(1);
  BlockTurn turn;
  do {
    turn = begin_block_turn(block);
    std::optional<FaultReport> report;
    guard.unlock();
    reader.enter();
    turn.run(block);
    reader.leave();
    if (turn.left && turn.stop == Stop::fault)
      report = report_of(*turn.left, reader);
    guard.lock();
    if (report)
      launch.report = std::move(report);
  } while (end_block_turn(block, turn, guard));
}

} // namespace gpuexec::emulator
