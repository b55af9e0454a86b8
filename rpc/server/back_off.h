//===-- rpc/server/back_off.h - How an idle thread polls --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polling thread that finds no request polls again at once; after a while it
// yields the processor between two polls; after a longer while it sleeps. A
// sleep takes a fixed part of the time since the last request: on average the
// request that ends a pause is served late by a thousandth of the pause. A
// wake-up costs processor time, so a sleep has a minimum length: after a long
// pause polling takes at most 2 % of a processor.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_BACK_OFF_H
#define GPUEXEC_RPC_SERVER_BACK_OFF_H

#include <chrono>
#include <cstdint>

namespace gpuexec::rpc {

enum class Idle { look, yield, sleep };

// LOOK_FOR: poll again at once for this long after a request, because on a busy
// machine a yield costs a whole time slice of another thread; the pauses
// between the packets of one call last tens of microseconds on an emulated
// device. YIELD_UNTIL: sleep only after this time, because on a busy machine a
// thread that wakes up is queued behind all others, unlike one that yields.
inline constexpr std::chrono::nanoseconds LOOK_FOR =
    std::chrono::microseconds(50);
inline constexpr std::chrono::nanoseconds YIELD_UNTIL =
    std::chrono::microseconds(300);

/// Decides whether yielding is useful. It is not if each of the last pauses was
/// longer than YIELD_UNTIL, as in a program that computes between two reads of
/// a file: yielding would take a third of a processor and serve no request
/// sooner.
class Pauses {
public:
  /// A request ended a pause.
  void ended(std::chrono::nanoseconds length) {
    long_ones = length > YIELD_UNTIL ? long_ones + 1 : 0;
  }
  bool are_long() const { return long_ones >= ENOUGH; }

private:
  static constexpr unsigned ENOUGH = 8;
  uint64_t long_ones = 0; // in a row
};

/// What a thread does that has found no request for `quiet`. `before`: the
/// pauses before this one.
Idle idle_step(std::chrono::nanoseconds quiet, const Pauses &before);

/// How long such a thread sleeps. `wake_cost`: processor time of one wake-up
/// and one look at the mailbox.
std::chrono::nanoseconds sleep_length(std::chrono::nanoseconds quiet,
                                      std::chrono::nanoseconds wake_cost);

/// Measures the processor time of one wake-up on this machine: some
/// microseconds, or tens of them under a hypervisor.
class WakeCost {
public:
  /// After every sleep that ended without a request.
  void slept();
  /// A request arrived: processor time used since the last call does not count.
  void interrupted() { since = {}; }

  /// Adds `sleeps` sleeps that took `used` of processor time together.
  void add(uint64_t sleeps, std::chrono::nanoseconds used);
  /// The average of the last sleeps; a guess before the first measurement.
  std::chrono::nanoseconds each() const;

private:
  // The clock of processor time may advance in steps of milliseconds; therefore
  // many sleeps are measured together. After REMEMBERED sleeps old measurements
  // count half.
  static constexpr uint64_t MEASURED_TOGETHER = 32, REMEMBERED = 8192;
  struct {
    bool begun = false;
    uint64_t sleeps = 0;
    std::chrono::nanoseconds used = {};
  } since;
  uint64_t sleeps = 0;
  std::chrono::nanoseconds used = {};
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_BACK_OFF_H
