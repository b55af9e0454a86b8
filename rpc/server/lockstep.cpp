//===-- rpc/server/lockstep.cpp - Calls served while the device waits -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/lockstep.h"
#include "rpc/server/worker_pool.h"

using namespace gpuexec::rpc;
using namespace std::chrono_literals;

/// Waits until a service can continue, a background service has ended, or
/// halt() was called. False when nothing of that happened before `until`.
bool WorkerPool::await_service(Clock::time_point until) {
  std::unique_lock lock(ready_mutex);
  const uint32_t before = in_background.load();
  return turn_changed.wait_until(lock, until, [&] {
    return !ready.empty() || in_background.load() != before || halting;
  });
}

/// Serves until every service waits for the device or for a file.
void WorkerPool::serve_turn() {
  // A service in the background usually ends within this time. Until then the
  // device waits for it instead of going on.
  static constexpr auto SOON = 50ms;
  for (;;) {
    while (pass(own_worker))
      ;
    if (outcome.finished() || halting || !in_background.load())
      return;
    const Clock::time_point until(Clock::duration(background_since.load()) +
                                  SOON);
    if (!await_service(until))
      return;
  }
}

/// Serves an idle device, one that only polls for answers or waits for its
/// clock: waits until a service can continue, within limits. Returns the time
/// that this took, in ticks of the device's clock.
uint64_t WorkerPool::idle_turn() {
  // Limited, because the clock that the device waits for must go on.
  static constexpr auto LONGEST_WAIT = 10ms;
  // When no service is running, each wait is longer than the one before: such a
  // program is usually in a deadlock.
  static constexpr auto FIRST_WAIT = 1us, LONGEST_VAIN_WAIT = 1000us;
  using Ticks = std::chrono::duration<int64_t, std::ratio<1, 100'000'000>>;
  const auto begin = Clock::now();
  auto limit = std::chrono::microseconds(LONGEST_WAIT);
  if (table.any_locked())
    vain_turns = 0;
  else
    limit = std::min(FIRST_WAIT * ++vain_turns, LONGEST_VAIN_WAIT);
  await_service(begin + limit);
  serve_turn();
  return uint64_t(
      std::chrono::duration_cast<Ticks>(Clock::now() - begin).count());
}

bool WorkerPool::turn(uint64_t step, bool idle, uint64_t &ticks) {
  std::lock_guard one(drain_mutex);
  if (stopping)
    return false;
  Lockstep &lockstep = *table.lockstep();
  Journal *journal = table.journal();
  lockstep.step = step;
  lockstep.begin_turn();
  serve_turn();
  vain_turns = idle ? vain_turns : 0;
  if (idle && !outcome.finished()) {
    if (!journal || !journal->replays())
      ticks = idle_turn();
    if (journal)
      ticks = journal->waited(step, ticks);
  }
  lockstep.end_turn();
  bool goes_on = !outcome.finished() && !halting;
  std::optional<Outcome> recorded;
  if (goes_on && journal && journal->halts(step, recorded)) {
    goes_on = false;
    if (recorded)
      outcome.finish(std::move(*recorded));
  }
  if (goes_on)
    return true;
  if (journal)
    journal->halted(step);
  {
    std::lock_guard lock(ready_mutex);
    halted = true;
  }
  turn_changed.notify_all();
  return false;
}

void WorkerPool::halt() {
  static constexpr auto LONGEST_STEP = 500ms;
  halting = true;
  std::unique_lock lock(ready_mutex);
  turn_changed.notify_all();
  turn_changed.wait_for(lock, LONGEST_STEP, [&] { return halted; });
}
