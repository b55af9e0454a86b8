//===-- emulator/hsa/signal.cpp - Signals ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/signal.h"
#include "emulator/hsa/events.h"
#include "emulator/hsa/queue.h"
#include "emulator/machine/wave.h"

#include <algorithm>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gpuexec::emulator {

static void futex_wait(std::atomic<uint32_t> &word, uint32_t expected,
                       uint64_t nanoseconds) {
  timespec timeout = {time_t(nanoseconds / 1'000'000'000),
                      long(nanoseconds % 1'000'000'000)};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &timeout, nullptr, 0);
}

static void futex_wake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

bool holds(hsa_signal_condition_t condition, hsa_signal_value_t left,
           hsa_signal_value_t right) {
  switch (condition) {
  case HSA_SIGNAL_CONDITION_EQ:
    return left == right;
  case HSA_SIGNAL_CONDITION_NE:
    return left != right;
  case HSA_SIGNAL_CONDITION_LT:
    return left < right;
  case HSA_SIGNAL_CONDITION_GTE:
    return left >= right;
  }
  return false;
}

std::atomic<int64_t> &Signals::value(hsa_signal_t signal) {
  static_assert(sizeof(std::atomic<int64_t>) == sizeof(int64_t));
  auto *shared = reinterpret_cast<amd_signal_t *>(signal.handle);
  return *reinterpret_cast<std::atomic<int64_t> *>(
      const_cast<int64_t *>(&shared->value));
}

bool Signals::map(Arena &arena, bool writable) {
  auto reserve = [](size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void *visible = reserve(CAPACITY * sizeof(amd_signal_t));
  if (visible == MAP_FAILED)
    return false;
  void *own = reserve(CAPACITY * sizeof(State));
  if (own == MAP_FAILED) {
    munmap(visible, CAPACITY * sizeof(amd_signal_t));
    return false;
  }
  Region region;
  region.begin = reinterpret_cast<uint64_t>(visible);
  region.end = region.begin + CAPACITY * sizeof(amd_signal_t);
  region.kind = MemoryKind::runtime;
  region.writable = writable;
  region.name = "signals";
  memory.add(std::move(region));
  arena.states = static_cast<State *>(
      own); // zeros, which is what State's constructor would store
  arena.signals.store(static_cast<amd_signal_t *>(visible),
                      std::memory_order_release);
  return true;
}

Signals::~Signals() {
  for (Arena *arena : {&host_only, &shared}) {
    if (!arena->signals)
      continue;
    memory.remove(reinterpret_cast<uint64_t>(arena->signals.load()));
    munmap(arena->signals, CAPACITY * sizeof(amd_signal_t));
    munmap(static_cast<void *>(arena->states), CAPACITY * sizeof(State));
  }
}

hsa_signal_t Signals::create(hsa_signal_value_t initial, Writers writers,
                             Queue *doorbell_of) {
  bool writable = writers == Writers::host_and_device && !doorbell_of;
  Arena &arena = writable ? shared : host_only;
  std::lock_guard guard(lock);
  if (!arena.signals && !map(arena, writable))
    return {0};
  uint32_t slot;
  if (!arena.free_slots.empty()) {
    slot = arena.free_slots.back();
    arena.free_slots.pop_back();
  } else if (arena.used < CAPACITY) {
    slot = uint32_t(arena.used++);
  } else {
    return {0};
  }
  amd_signal_t &visible = arena.signals.load()[slot];
  hsa_signal_t handle = {reinterpret_cast<uint64_t>(&visible)};
  visible.start_ts = visible.end_ts = 0;
  visible.kind = doorbell_of ? AMD_SIGNAL_KIND_DOORBELL : AMD_SIGNAL_KIND_USER;
  value(handle).store(initial);
  State &state = arena.states[slot];
  state.start = state.end = 0;
  state.queue = doorbell_of;
  state.watchers = 0;
  state.live.store(1, std::memory_order_release);
  return handle;
}

Signals::State *Signals::Arena::find(hsa_signal_t signal) const {
  amd_signal_t *first = signals.load(std::memory_order_acquire);
  uint64_t offset = signal.handle - reinterpret_cast<uint64_t>(first);
  if (!first || offset >= CAPACITY * sizeof(amd_signal_t) ||
      offset % sizeof(amd_signal_t))
    return nullptr;
  State &state = states[offset / sizeof(amd_signal_t)];
  return state.live.load(std::memory_order_acquire) ? &state : nullptr;
}

Signals::State *Signals::state(hsa_signal_t signal) const {
  State *found = host_only.find(signal);
  return found ? found : shared.find(signal);
}

bool Signals::completes(hsa_signal_t signal) const {
  State *found = state(signal);
  return found && !found->queue.load(std::memory_order_relaxed);
}

bool Signals::destroy(hsa_signal_t signal) {
  State *found = state(signal);
  uint32_t one = 1;
  if (!found || !found->live.compare_exchange_strong(one, 0))
    return false;
  if (found->watchers)
    events.forget(signal);
  reinterpret_cast<amd_signal_t *>(signal.handle)->kind =
      AMD_SIGNAL_KIND_INVALID;
  std::lock_guard guard(lock);
  Arena &arena =
      found >= host_only.states && found < host_only.states + CAPACITY
          ? host_only
          : shared;
  arena.free_slots.push_back(uint32_t(found - arena.states));
  return true;
}

void Signals::changed(hsa_signal_t signal, State &state, bool ring) {
  if (state.waiters.load()) {
    state.changes.fetch_add(1);
    futex_wake(state.changes);
  }
  if (state.watchers.load())
    events.notify();
  if (Queue *queue = state.queue.load(std::memory_order_relaxed); queue && ring)
    queue->process();
}

void Signals::complete(hsa_signal_t signal, uint64_t start, uint64_t end) {
  State *found = state(signal);
  if (!found)
    return;
  found->start = start;
  found->end = end;
  auto *visible = reinterpret_cast<amd_signal_t *>(signal.handle);
  visible->start_ts = start;
  visible->end_ts = end;
  value(signal).fetch_sub(1);
  changed(signal, *found);
}

int Signals::wait(unsigned count, const hsa_signal_t *waited,
                  const hsa_signal_condition_t *conditions,
                  const hsa_signal_value_t *values, uint64_t timeout,
                  hsa_wait_state_t hint, hsa_signal_value_t *seen) {
  auto check = [&]() -> int {
    for (unsigned i = 0; i < count; ++i) {
      hsa_signal_value_t now = value(waited[i]).load();
      if (i == 0)
        *seen = now;
      if (holds(conditions[i], now, values[i])) {
        *seen = now;
        return int(i);
      }
    }
    return -1;
  };
  if (int index = check(); index >= 0 || timeout == 0)
    return index;
  uint64_t begin = clock_now();
  // A short kernel ends while this spins for 10 us: sooner than after a sleep.
  while (clock_now() - begin < CLOCK_HZ / 100'000) {
    for (int i = 0; i < 32; ++i)
      __builtin_ia32_pause();
    if (int index = check(); index >= 0)
      return index;
  }
  State *first = state(waited[0]);
  for (unsigned i = 0; i < count; ++i)
    if (State *found = state(waited[i]))
      found->waiters.fetch_add(1);
  int index = -1;
  // A futex can wait for the first signal only. With more signals the waits are
  // short.
  uint64_t nap = count > 1 ? 200'000 : uint64_t(POLL_MS) * 1'000'000;
  while (true) {
    uint32_t changes = first ? first->changes.load() : 0;
    index = check();
    uint64_t passed = clock_now() - begin;
    if (index >= 0 || passed >= timeout)
      break;
    uint64_t left = (timeout - passed) < CLOCK_HZ
                        ? (timeout - passed) * (1'000'000'000 / CLOCK_HZ)
                        : nap;
    if (first)
      futex_wait(first->changes, changes,
                 std::min(nap, std::max<uint64_t>(left, 1)));
    else
      usleep(100);
  }
  for (unsigned i = 0; i < count; ++i)
    if (State *found = state(waited[i]))
      found->waiters.fetch_sub(1);
  return index;
}

hsa_signal_group_t SignalGroups::add(Group signals) {
  std::lock_guard guard(lock);
  groups[++last_handle] = std::make_shared<const Group>(std::move(signals));
  return {last_handle};
}

std::shared_ptr<const SignalGroups::Group>
SignalGroups::find(hsa_signal_group_t handle) const {
  std::lock_guard guard(lock);
  auto found = groups.find(handle.handle);
  return found == groups.end() ? nullptr : found->second;
}

bool SignalGroups::remove(hsa_signal_group_t handle) {
  std::lock_guard guard(lock);
  return groups.erase(handle.handle) != 0;
}

} // namespace gpuexec::emulator
