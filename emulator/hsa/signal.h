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
    std::atomic<Queue *> queue{nullptr};    // a doorbell's
    std::atomic<uint64_t> start{0}, end{0}; // of the packet that it completed
  };
  /// Who changes a signal's value.
  enum class Writers : uint8_t { host, host_and_device };

  Signals(AddressSpace &memory, Events &events)
      : memory(memory), events(events) {}
  ~Signals();

  /// 0 when CAPACITY signals exist or memory is out. Doorbells: Writers::host.
  hsa_signal_t create(hsa_signal_value_t initial, Writers writers,
                      Queue *doorbell_of = nullptr);
  /// False when the handle is no live signal's.
  bool destroy(hsa_signal_t signal);
  /// Null unless the handle is a live signal's: whatever value a handle has,
  /// it is looked up and never dereferenced before.
  State *state(hsa_signal_t signal) const;
  /// True for a live signal that may complete a packet: no doorbell.
  bool completes(hsa_signal_t signal) const;
  static std::atomic<int64_t> &value(hsa_signal_t signal);

  /// To be called after a change of the value: wakes waiters, handlers, and
  /// rings when it is a doorbell.
  void changed(hsa_signal_t signal, State &state, bool ring = true);
  /// Subtracts one, as the end of a packet does, with the times that it took.
  /// Null handles are fine.
  void complete(hsa_signal_t signal, uint64_t start = 0, uint64_t end = 0);

  /// Waits until one of `count` conditions holds or `timeout` ticks (CLOCK_HZ)
  /// are over; its index, or -1. The value that was seen last for that signal
  /// (or the first one) goes to *seen.
  int wait(unsigned count, const hsa_signal_t *signals,
           const hsa_signal_condition_t *conditions,
           const hsa_signal_value_t *values, uint64_t timeout,
           hsa_wait_state_t hint, hsa_signal_value_t *seen);

private:
  /// Signals with the same writers: CAPACITY of them, touched as they are used.
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

bool holds(hsa_signal_condition_t condition, hsa_signal_value_t left,
           hsa_signal_value_t right);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_SIGNAL_H
