//===-- rpc/server/back_off.h - What to do without work ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polling thread that finds nothing polls again at once, later yields the
// processor between two polls, later sleeps. The length of a sleep is a fixed
// part of the time that nothing has happened: a request that ends a pause is
// late by a thousandth of the pause on average. A wake-up costs processor time,
// which bounds sleeps from below: polling takes 2 % of a processor at most after
// a long pause.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_BACK_OFF_H
#define GPUEXEC_RPC_SERVER_BACK_OFF_H

#include <chrono>
#include <cstdint>

namespace gpuexec::rpc {

enum class Idle { look, yield, sleep };

// On a busy machine a thread that wakes up queues behind all others, and one
// that yields does not: sleep late. A yield there costs a whole time slice of
// another thread: do not yield in the pauses between the packets of one call,
// which last tens of microseconds on an emulated device.
inline constexpr std::chrono::nanoseconds LOOK_FOR =
    std::chrono::microseconds(50);
inline constexpr std::chrono::nanoseconds YIELD_UNTIL =
    std::chrono::microseconds(300);

/// Whether yielding is of use: not when the program has lately paused for longer
/// than that each time, as one does that computes between two reads of a file.
/// Yielding would then take a third of a processor, and no request be sooner.
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

/// What a thread does that has found nothing for `quiet`, after such pauses.
Idle idle_step(std::chrono::nanoseconds quiet, const Pauses &before);

/// How long it sleeps then. `wake_cost`: processor time of one wake-up, with a
/// look at the mailbox.
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
  // The clock of processor time may move in steps of milliseconds: one
  // measurement is of many sleeps.
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
