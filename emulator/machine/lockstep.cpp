//===-- emulator/machine/lockstep.cpp - An order that repeats -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler's loop in lockstep. Nothing here looks at a clock, and nothing
// but the seed, the waves and the host's turns decides what happens.
// Scheduler::lock is held, but not while a wave runs or the host has its turn.
//===----------------------------------------------------------------------===//
#include "emulator/machine/resident_block.h"
#include "emulator/machine/scheduler.h"

#include <algorithm>

namespace gpuexec::emulator {

namespace {
/// A slice has at most 2^k instructions, for a random k of 0 to LONGEST. Short
/// slices end between any two accesses to memory; long ones make progress.
constexpr unsigned LONGEST = 13;
/// While waves are ready, one slice of SLICES_PER_POLL (on average) is given to
/// a wave that sleeps.
constexpr uint64_t SLICES_PER_POLL = 8;
/// Such a slice goes to one of the first NEXT_TO_POLL waves of the queue: they
/// have waited longest.
constexpr size_t NEXT_TO_POLL = 4;
/// Waves are chosen at random. All of them are taken to have polled in vain
/// when the number of such slices in a row exceeds the number of waves by
/// IDLE_SLICES.
constexpr uint64_t IDLE_SLICES = 64;
/// The host gets a turn at least every STEPS_PER_TURN steps: a wave may wait
/// for the host without sleeping.
constexpr uint64_t STEPS_PER_TURN = 16;
/// How fast the device's clock goes.
constexpr uint64_t INSTRUCTIONS_PER_TICK = 4;
/// The device's clock is put forward by 10 us when all waves wait.
constexpr uint64_t IDLE_TICKS = CLOCK_HZ / 100'000;
} // namespace

/// Takes a random wave out of the queue: usually one that is ready, sometimes
/// (SLICES_PER_POLL) one that has been there for long and may sleep.
WaveSlot &Scheduler::choose_wave() {
  const bool poll = !active_waves || chance.below(SLICES_PER_POLL) == 0;
  size_t k = chance.below(poll ? std::min(queue.size(), NEXT_TO_POLL)
                               : queue.size());
  if (!poll)
    for (size_t tries = 0; tries < queue.size() &&
                           queue[k]->state != WaveState::ready;
         ++tries)
      k = k + 1 == queue.size() ? 0 : k + 1;
  WaveSlot &slot = *queue[k];
  queue.erase(queue.begin() + std::ptrdiff_t(k));
  return slot;
}

void Scheduler::hosts_turn(bool idle, std::unique_lock<std::mutex> &guard) {
  const Lockstep &lockstep = *options.lockstep;
  if (idle) {
    clock.ticks += IDLE_TICKS;
    idle_streak = 0; // all waves look again
  }
  if (!lockstep.turn)
    return;
  uint64_t ticks = 0;
  in_turn = true;
  ++running_waves; // for park()
  guard.unlock();
  const bool go_on = lockstep.turn(lockstep.context, steps, idle, &ticks) != 0;
  guard.lock();
  --running_waves;
  in_turn = false;
  turn_over.notify_all();
  if (parked)
    sampled.notify_all();
  clock.ticks += ticks;
  halted |= !go_on;
}

/// One slice of one wave, and the host's turn if it is due.
void Scheduler::step(AddressSpace::Reader &reader,
                     std::unique_lock<std::mutex> &guard) {
  WaveSlot &slot = choose_wave();
  begin_slice(slot);
  const uint64_t longest = uint64_t(1) << chance.below(LONGEST + 1);
  ++running_waves;
  const Stop stop =
      execute_slice(slot, 1 + chance.below(longest), reader, guard);
  --running_waves;
  // The length may be negative: when the wave ended inside a block whose
  // instructions the slice before had counted already.
  const auto length = int64_t(slot.wave->last_run_length());
  slot.since_sleep += length;
  clock.ticks += 1 + uint64_t(std::max<int64_t>(length, 0)) /
                         INSTRUCTIONS_PER_TICK;
  ++steps;
  // The end of this wave may end the kernel: the host gets its turn before
  // anybody learns of it.
  const bool ends = stop == Stop::ended || stop == Stop::fault;
  if (ends)
    hosts_turn(false, guard);
  const bool was_stopped = slot.block->launch->dispatch.stop;
  end_slice(slot, stop, guard);
  if (ends || was_stopped)
    return;
  const bool polled = stop == Stop::sleep && idle_streak;
  const bool idle = polled && !active_waves && !sleeping_waves &&
                    idle_streak >= queue.size() + IDLE_SLICES;
  if (idle || (stop == Stop::sleep && !polled) || stop == Stop::barrier ||
      steps % STEPS_PER_TURN == 0)
    hosts_turn(idle, guard);
}

void Scheduler::work_in_lockstep(AddressSpace::Reader &reader,
                                 std::unique_lock<std::mutex> &guard) {
  while (true) {
    if (pause_if_parked(guard))
      continue;
    if (!halted && start_block(reader, guard))
      continue;
    if (queue.empty() || halted) {
      if (quit && launches.empty())
        return;
      pause(guard, 0); // for a launch, or for stop()
      continue;
    }
    step(reader, guard);
  }
}

} // namespace gpuexec::emulator
