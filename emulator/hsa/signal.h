//===-- emulator/hsa/signal.h - Signals -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signal handle is the address of an amd_signal_t that the device can read.
// The host reads only the value from there; the rest of a signal's state is in
// State, where device code cannot change it. The device cannot write signals
// that only the host changes: doorbells, and all others with the option
// "signals=host". A change through the API wakes waiters at once; they notice a
// change by device code within POLL_MS. HSA 1.2, section 2.4.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_SIGNAL_H
#define GPUEXEC_EMULATOR_HSA_SIGNAL_H

#include "emulator/machine/memory.h"

#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gpuexec::emulator {

class Queue;
class Events;

class Signals {
public:
  static constexpr size_t CAPACITY = size_t(1) << 20;
  static constexpr int POLL_MS = 5;

  struct State {
    std::atomic<uint32_t> live{0};
    std::atomic<uint32_t> changes{
        0}; // futex word: counts changes while somebody waits
    std::atomic<uint32_t> waiters{0};       // threads in wait()
    std::atomic<uint32_t> watchers{0};      // handlers that Events has for it
    std::atomic<Queue *> queue{nullptr};    // not null: this is its doorbell
    std::atomic<uint64_t> start{0}, end{0}; // times of the packet it completed
  };
  /// Who changes a signal's value.
  enum class Writers : uint8_t { host, host_and_device };

  Signals(AddressSpace &memory, Events &events)
      : memory(memory), events(events) {}
  ~Signals();

  /// A null handle when CAPACITY signals exist or the host has no memory. The
  /// device can never write to a doorbell.
  hsa_signal_t create(hsa_signal_value_t initial, Writers writers,
                      Queue *doorbell_of = nullptr);
  /// False when the handle is no live signal's.
  bool destroy(hsa_signal_t signal);
  /// Null unless the handle is a live signal's. A handle may have any value: it
  /// is looked up and never dereferenced before.
  State *state(hsa_signal_t signal) const;
  /// True for a live signal that may complete a packet: no doorbell.
  bool completes(hsa_signal_t signal) const;
  static std::atomic<int64_t> &value(hsa_signal_t signal);

  /// To be called after a change of the value: wakes waiters and handlers. With
  /// `ring`, a doorbell's queue takes its packets.
  void changed(hsa_signal_t signal, State &state, bool ring = true);
  /// Ends a packet: subtracts one and stores when the packet began and ended,
  /// in ticks of CLOCK_HZ. No effect for a null handle.
  void complete(hsa_signal_t signal, uint64_t start = 0, uint64_t end = 0);

  /// Waits until one of `count` conditions holds or `timeout` ticks (of
  /// CLOCK_HZ) have passed. Returns the condition's index, or -1. *seen gets
  /// the last value of that signal or, after a timeout, of the first one.
  int wait(unsigned count, const hsa_signal_t *signals,
           const hsa_signal_condition_t *conditions,
           const hsa_signal_value_t *values, uint64_t timeout,
           hsa_wait_state_t hint, hsa_signal_value_t *seen);

private:
  /// Memory of CAPACITY signals with the same writers. The host gives pages for
  /// those that are used.
  struct Arena {
    std::atomic<amd_signal_t *> signals{nullptr}; // stored last
    State *states = nullptr;
    size_t used = 0;
    std::vector<uint32_t> free_slots;
    State *find(hsa_signal_t signal) const;
  };
  bool map(Arena &arena, bool writable);

  AddressSpace &memory;
  Events &events;
  std::mutex lock;
  Arena host_only, shared;
};

/// Lists of signals that clients wait for by one handle. Thread-safe.
class SignalGroups {
public:
  using Group = std::vector<hsa_signal_t>;
  hsa_signal_group_t add(Group signals);
  /// Null unless the handle is a group's. A handle may have any value.
  std::shared_ptr<const Group> find(hsa_signal_group_t handle) const;
  /// False unless the handle is a group's. Who has found the group keeps it.
  bool remove(hsa_signal_group_t handle);

private:
  mutable std::mutex lock;
  uint64_t last_handle = 0;
  std::map<uint64_t, std::shared_ptr<const Group>> groups;
};

/// True if `left` is equal to (unequal to, less than, not less than) `right`.
bool holds(hsa_signal_condition_t condition, hsa_signal_value_t left,
           hsa_signal_value_t right);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_SIGNAL_H
