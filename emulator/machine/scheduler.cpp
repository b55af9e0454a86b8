//===-- emulator/machine/scheduler.cpp - Which wave runs when -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lock guards the run queue and all states; it is not held while waves run
// or blocks are built. block_scheduler.cpp starts and ends blocks,
// wave_sampling.cpp collects samples and counters.
//===----------------------------------------------------------------------===//
#include "emulator/machine/scheduler.h"
#include "emulator/machine/report.h"
#include "emulator/machine/resident_block.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <utility>

namespace gpuexec::emulator {

namespace {
// A worker whose waves all poll in vain spins for 5 us, then yields for 300 us,
// then pauses. After a yield of more than 140 us, in which others ran for a
// time slice each, it does not yield for 20 ms.
constexpr uint64_t SPIN_TICKS = CLOCK_HZ / 200'000;
constexpr uint64_t YIELD_TICKS = CLOCK_HZ / 3'000;
constexpr uint64_t LONG_YIELD_TICKS = CLOCK_HZ / 7'000;
constexpr uint64_t NO_YIELD_TICKS = CLOCK_HZ / 50;
constexpr uint64_t MAX_PAUSE_US = 500;
constexpr uint64_t POLLS_PER_PAUSE = 256; // slices of sleeping waves
constexpr uint64_t LONGEST_POLL = 100;    // instructions between two sleeps
constexpr uint32_t POLLS_TO_BELIEVE = 4;  // of one length, in a row
// A wave has several slices in one go when this many waves or more poll in vain
// for each wave that has work: they would take most of the time.
constexpr uint32_t MANY_POLLING_WAVES = 64;
} // namespace

Scheduler::Scheduler(AddressSpace &memory, Options wanted)
    : memory(memory), name_reader(memory), options(wanted) {
  if (!options.threads)
    options.threads = std::max(2u, std::thread::hardware_concurrency());
  workers.reserve(options.threads);
  if (options.lockstep)
    chance = SeededChance(options.lockstep->seed);
}

Scheduler::~Scheduler() {
  {
    std::unique_lock guard(lock);
    std::vector<std::shared_ptr<Launch>> all(launches.begin(), launches.end());
    for (auto &launch : all) {
      launch->dispatch.stop = true;
      end_waves(*launch);
    }
    for (auto &launch : all)
      finish_if_over(launch, guard);
    quit = true;
    work_there.notify_all();
  }
  for (Thread &worker : workers)
    worker.join();
}

bool Scheduler::ready() {
  std::unique_lock guard(lock);
  if (workers.empty())
    wake(1);
  return !workers.empty();
}

void Scheduler::launch(std::shared_ptr<Launch> launch) {
  Dispatch &dispatch = launch->dispatch;
  dispatch.memory = &memory;
  dispatch.kernel = launch->kernel.get();
  dispatch.clock = options.lockstep ? &clock : nullptr;
  launch->total_blocks = 1;
  for (int i = 0; i < 3; ++i) {
    dispatch.blocks[i] =
        uint32_t((uint64_t(dispatch.grid[i]) + dispatch.block[i] - 1) /
                 dispatch.block[i]);
    launch->total_blocks *= dispatch.blocks[i];
  }
  launch->started = clock_now();
  std::unique_lock guard(lock);
  launches.push_back(launch);
  if (quit)
    dispatch.stop = true;
  if (dispatch.stop || launch->total_blocks == 0) {
    launch->next_block = launch->total_blocks;
    finish_if_over(launch, guard);
    return;
  }
  wake(1);
}

void Scheduler::stop(Launch &launch) {
  std::unique_lock guard(lock);
  for (auto &known : launches)
    if (known.get() == &launch) {
      std::shared_ptr<Launch> keep = known;
      launch.dispatch.stop = true;
      end_waves(launch);
      finish_if_over(keep, guard);
      break;
    }
  const bool is_worker =
      std::any_of(workers.begin(), workers.end(),
                  [](const Thread &worker) { return worker.is_current(); });
  if (!is_worker)
    turn_over.wait(guard, [&] { return !in_turn; });
}

// Wakes or creates workers for `count` more waves. The lock is held.
void Scheduler::wake(size_t count) {
  while (count && woken_workers < idle_workers) {
    ++woken_workers;
    work_there.notify_one();
    --count;
  }
  while (count-- && workers.size() < options.threads && !quit) {
    Thread worker;
    if (!worker.start([this] { work(); }, Thread::Signals::blocked))
      return; // no thread: the existing workers do all the work
    workers.push_back(std::move(worker));
  }
}

void Scheduler::push(WaveSlot &slot) { queue.push_back(&slot); }

void Scheduler::park() {
  std::unique_lock guard(lock);
  parked = true;
  for (auto &launch : launches)
    launch->dispatch.stop = true; // for waves that read it within a slice
  for (const Thread &worker : workers)
    if (worker.is_current())
      return;
  sampled.wait_for(guard, std::chrono::seconds(1),
                   [&] { return running_waves == 0; });
}

// Waits for work, at most `microseconds` (0: for ever).
void Scheduler::pause(std::unique_lock<std::mutex> &guard,
                      uint64_t microseconds) {
  ++idle_workers;
  if (microseconds)
    work_there.wait_for(guard, std::chrono::microseconds(microseconds));
  else
    work_there.wait(guard);
  --idle_workers;
  if (woken_workers)
    --woken_workers;
}

bool Scheduler::pause_if_parked(std::unique_lock<std::mutex> &guard) {
  if (parked && !quit) {
    pause(guard, 0);
    return true;
  }
  if (memory.has_retired()) {
    guard.unlock();
    memory.collect();
    guard.lock();
  }
  return false;
}

/// Serves the host's calls in this thread when no wave can run and one may have
/// called. False when it has nothing to do; else the queue may have changed.
bool Scheduler::serve_host(std::unique_lock<std::mutex> &guard) {
  if (!host_asked || active_waves || !options.host_calls)
    return false;
  host_asked = false;
  guard.unlock();
  options.host_calls->serve();
  guard.lock();
  return true;
}

void Scheduler::work() {
  pthread_setname_np(pthread_self(), "gpuexec-worker");
  prctl(PR_SET_TIMERSLACK, 1000); // pauses are short: 1 us instead of 50
  AddressSpace::Reader reader(memory);
  std::unique_lock guard(lock);
  if (options.lockstep)
    return work_in_lockstep(reader, guard);
  while (true) {
    if (pause_if_parked(guard))
      continue;
    if (start_block(reader, guard))
      continue;
    if (queue.empty()) {
      if (quit && launches.empty())
        return;
      pause(guard, 0);
      continue;
    }
    if (serve_host(guard))
      continue;
    // All waves in the queue have polled in vain.
    if (idle_streak > queue.size()) {
      uint64_t idle_for = clock_now() - idle_since;
      if (worker_polls) { // by another worker
        pause(guard, 0);
        continue;
      }
      // A call that was answered as fast as a poll takes looks like one.
      host_asked |= idle_for > SPIN_TICKS;
      if (idle_for > SPIN_TICKS && idle_for < YIELD_TICKS &&
          clock_now() >= no_yields_until) {
        // A thread that wakes up queues behind the host's others; one that
        // yields does not. But if each of them keeps the processor for a whole
        // time slice, pausing is better for a while.
        worker_polls = true;
        ++idle_yield_count;
        guard.unlock();
        uint64_t before = clock_now();
        sched_yield();
        uint64_t after = clock_now();
        guard.lock();
        worker_polls = false;
        if (after - before > LONG_YIELD_TICKS)
          no_yields_until = after + NO_YIELD_TICKS;
        if (queue.empty())
          continue;
      } else if (idle_for > SPIN_TICKS) {
        // The longer all waves have polled in vain, the longer the pause.
        uint64_t pause_us = std::clamp<uint64_t>(
            idle_for / (CLOCK_HZ / 1'000'000) / 4, 5, MAX_PAUSE_US);
        worker_polls = true;
        ++idle_yield_count;
        pause(guard, pause_us);
        worker_polls = false;
        if (queue.empty())
          continue;
      }
    }
    if (idle_streak > queue.size())
      // Any wave may have got its answer meanwhile: poll many before the next
      // pause.
      idle_streak -= std::min<uint64_t>(queue.size(), POLLS_PER_PAUSE);
    WaveSlot &slot = *queue.front();
    queue.pop_front();
    if (slot.block->together)
      run_block(*slot.block, reader, guard);
    else
      run_slice(slot, reader, guard);
  }
}

void Scheduler::begin_slice(WaveSlot &slot) {
  if (slot.state == WaveState::sleeping) {
    --sleep_count(slot);
    ++active_waves;
  }
  slot.state = WaveState::running;
}

/// Stops the launch of a wave that has a fault. Returns the report if this
/// fault is the first one. The lock is not held.
std::optional<FaultReport> Scheduler::report_of(const WaveSlot &slot,
                                                AddressSpace::Reader &reader) {
  if (slot.block->launch->dispatch.stop.exchange(true))
    return std::nullopt;
  FaultReport report;
  report.fault = slot.wave->fault();
  report.site = site_of(slot);
  reader.enter();
  complete(report, memory);
  reader.leave();
  return report;
}

Stop Scheduler::execute_slice(WaveSlot &slot, uint64_t budget,
                              AddressSpace::Reader &reader,
                              std::unique_lock<std::mutex> &guard) {
  Launch &launch = *slot.block->launch;
  guard.unlock();
  reader.enter();
  const Stop stop = slot.wave->run(budget);
  reader.leave();
  std::optional<FaultReport> report;
  if (stop == Stop::fault)
    report = report_of(slot, reader);
  guard.lock();
  if (report)
    launch.report = std::move(report);
  slices_stalled += STALL_PER_SLICE;
  return stop;
}

/// For a wave that is running. Whoever is woken by it waits for so many slices.
uint64_t Scheduler::slices_in_one_go() const {
  const uint32_t working = active_waves + sleeping_waves;
  const bool others_poll = polling_waves / MANY_POLLING_WAVES >= working;
  return queue.empty() || others_poll ? options.slices_alone : 1;
}

void Scheduler::run_slice(WaveSlot &slot, AddressSpace::Reader &reader,
                          std::unique_lock<std::mutex> &guard) {
  Launch &launch = *slot.block->launch;
  begin_slice(slot);
  // Wakes another worker if another wave is ready.
  if (!queue.empty() &&
      (queue.front()->state == WaveState::ready || idle_streak == 0))
    wake(1);
  Stop stop;
  ++running_waves;
  do {
    stop =
        execute_slice(slot, options.slice * slices_in_one_go(), reader, guard);
    // The only wave goes on without the queue.
  } while (stop == Stop::budget && queue.empty() && !parked &&
           !launch.dispatch.stop && !slot.sample_wanted &&
           !memory.has_retired() && !next_launch_to_start());
  --running_waves;
  end_slice(slot, stop, guard);
}

/// Gives a wave its next state after a slice that ended with `stop`.
void Scheduler::end_slice(WaveSlot &slot, Stop stop,
                          std::unique_lock<std::mutex> &guard) {
  Launch &launch = *slot.block->launch;
  if (parked) {
    sampled.notify_all();
    slot.state = WaveState::ready; // it is not run again in any case
    push(slot);
    return;
  }
  if (slot.sample_wanted)
    sample(slot);

  if (launch.dispatch.stop) {
    end_waves(launch);
    finish_wave(slot, guard);
    return;
  }
  switch (stop) {
  case Stop::budget:
    if (!options.lockstep || slot.since_sleep > int64_t(LONGEST_POLL))
      idle_streak = 0; // else it may still be polling
    slot.state = WaveState::ready;
    push(slot);
    break;
  case Stop::sleep:
    put_to_sleep(slot);
    break;
  case Stop::barrier:
    idle_streak = 0;
    slot.state = WaveState::barrier;
    --active_waves;
    ++slot.block->at_barrier;
    release_barrier(*slot.block);
    break;
  case Stop::ended:
  case Stop::fault:
    idle_streak = 0;
    finish_wave(slot, guard);
    break;
  }
}

// A wave that sleeps again at the same pc after the fewest instructions so far
// has polled in vain. After an answer of the host it executes more. A slice that
// ended early leaves a poll that is shorter than all others: so a length that
// comes several times in a row is a poll's, too.
void Scheduler::put_to_sleep(WaveSlot &slot) {
  uint64_t pc = slot.wave->pc(),
           length = options.lockstep
                        ? uint64_t(std::exchange(slot.since_sleep, 0))
                        : slot.wave->last_run_length();
  const bool same = pc == slot.sleep_pc && length == slot.last_sleep_length;
  slot.same_sleeps = same ? slot.same_sleeps + 1 : 0;
  slot.last_sleep_length = length;
  if (slot.same_sleeps >= POLLS_TO_BELIEVE)
    slot.sleep_length = std::max(slot.sleep_length, length);
  slot.idle_poll = pc == slot.sleep_pc && length <= slot.sleep_length &&
                   length <= LONGEST_POLL;
  if (slot.idle_poll) {
    slot.sleep_length = length;
    if (idle_streak++ == 0)
      idle_since = clock_now();
  } else {
    if (pc != slot.sleep_pc)
      slot.sleep_length = length;
    slot.sleep_pc = pc;
    slices_stalled -= std::min(slices_stalled, STALL_PER_SLICE - 1);
    idle_streak = 0;
    host_asked = true;
  }
  slot.state = WaveState::sleeping;
  --active_waves;
  ++sleep_count(slot);
  push(slot);
}

void Scheduler::release_barrier(ResidentBlock &block) {
  if (!block.live || block.at_barrier < block.live)
    return;
  block.at_barrier = 0;
  for (WaveSlot &slot : block.slots)
    if (slot.state == WaveState::barrier) {
      slot.state = WaveState::ready;
      ++active_waves;
      push(slot);
    }
}

// A wave that was running ended, or its launch was stopped. The lock is held.
void Scheduler::finish_wave(WaveSlot &slot,
                            std::unique_lock<std::mutex> &guard) {
  ResidentBlock &block = *slot.block;
  Launch &launch = *block.launch;
  slot.state = WaveState::ended;
  --active_waves;
  --block.live;
  add_counters(launch, *slot.wave);
  if (block.live) {
    release_barrier(block);
    return;
  }
  slices_stalled = 0;
  std::shared_ptr<Launch> keep = shared(launch);
  remove_block(block);
  finish_if_over(std::move(keep), guard);
}

uint64_t Scheduler::idle_yields() const {
  std::lock_guard guard(lock);
  return idle_yield_count;
}

uint32_t Scheduler::peak_resident_waves() const {
  std::lock_guard guard(lock);
  return peak_waves;
}

} // namespace gpuexec::emulator
