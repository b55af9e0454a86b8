//===-- emulator/hsa/signal.cpp - Signals ---------------------------------===//
#include "emulator/hsa/signal.h"
#include "emulator/engine/wave.h"
#include "emulator/hsa/events.h"
#include "emulator/hsa/queue.h"

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

bool Signals::map() {
  auto reserve = [](size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void *shared = reserve(CAPACITY * sizeof(amd_signal_t));
  void *own = reserve(CAPACITY * sizeof(State));
  if (shared == MAP_FAILED || own == MAP_FAILED)
    return false;
  Region region;
  region.begin = reinterpret_cast<uint64_t>(shared);
  region.end = region.begin + CAPACITY * sizeof(amd_signal_t);
  region.kind = MemoryKind::runtime;
  region.name = "signals";
  memory.add(std::move(region));
  signals = static_cast<amd_signal_t *>(shared);
  states = static_cast<State *>(
      own); // zero pages are what its constructor would make
  return true;
}

Signals::~Signals() {
  if (!signals)
    return;
  memory.remove(reinterpret_cast<uint64_t>(signals));
  munmap(signals, CAPACITY * sizeof(amd_signal_t));
  munmap(static_cast<void *>(states), CAPACITY * sizeof(State));
}

hsa_signal_t Signals::create(hsa_signal_value_t initial, Queue *doorbell_of) {
  std::lock_guard guard(lock);
  if (!signals && !map())
    return {0};
  uint32_t slot;
  if (!free_slots.empty()) {
    slot = free_slots.back();
    free_slots.pop_back();
  } else if (used < CAPACITY) {
    slot = uint32_t(used++);
  } else {
    return {0};
  }
  amd_signal_t &shared = signals[slot];
  hsa_signal_t handle = {reinterpret_cast<uint64_t>(&shared)};
  shared.start_ts = shared.end_ts = 0;
  shared.kind = doorbell_of ? AMD_SIGNAL_KIND_DOORBELL : AMD_SIGNAL_KIND_USER;
  value(handle).store(initial);
  State &state = states[slot];
  state.queue = doorbell_of;
  state.watchers = 0;
  state.live.store(1, std::memory_order_release);
  return handle;
}

Signals::State *Signals::state(hsa_signal_t signal) const {
  uint64_t offset = signal.handle - reinterpret_cast<uint64_t>(signals);
  if (!signals || offset >= CAPACITY * sizeof(amd_signal_t) ||
      offset % sizeof(amd_signal_t))
    return nullptr;
  State &state = states[offset / sizeof(amd_signal_t)];
  return state.live.load(std::memory_order_acquire) ? &state : nullptr;
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
  free_slots.push_back(uint32_t(found - states));
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
  auto *shared = reinterpret_cast<amd_signal_t *>(signal.handle);
  shared->start_ts = start;
  shared->end_ts = end;
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
  // A short kernel is over before a sleep would have begun.
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
  // Only the first signal's word can be slept on; when there are more, sleeps
  // are kept short.
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

} // namespace gpuexec::emulator
