//===-- rpc/services/program_signals.h - Signals from outside ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program has handlers of its own for signals that this process gets. The
// device looks at a counter in memory of the host; when it has changed, it asks
// which signals have come (docs/rpc.md).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_PROGRAM_SIGNALS_H
#define GPUEXEC_RPC_SERVICES_PROGRAM_SIGNALS_H

#include "rpc/server/poller.h"
#include "rpc/services/options.h"
#include <atomic>

namespace gpuexec::rpc {

/// Thread-safe.
class ProgramSignals {
public:
  /// `source`: null where no signals reach the program. `interrupt` ends waits
  /// of the program's calls.
  ProgramSignals(std::shared_ptr<SignalSource> source,
                 std::function<void()> interrupt);
  /// The source gets every signal back.
  ~ProgramSignals();
  ProgramSignals(const ProgramSignals &) = delete;

  /// The word that the device watches; set before the first request.
  void tell_by(uint64_t *word) { arrived = word; }
  /// What becomes of a signal from now on. Returns 0 or an errno value: ENOSYS
  /// where no signals reach the program, EINVAL for a signal that it cannot
  /// get.
  int use(int number, SignalUse what);
  /// The signals that have come since the last call: bit N - 1 is signal N.
  uint64_t take();
  /// Ends waits after this time, so that the program sees that a timer of its
  /// has expired.
  void wake_after(std::chrono::nanoseconds delay);
  /// Ends the waits of the program's calls with EINTR.
  void interrupt();

  /// Of one call, made when it begins: whether it has to end with EINTR instead
  /// of waiting on. So do calls that begin shortly after an interrupt: who made
  /// them had looked for signals before it came. They are made again then.
  class Wait {
  public:
    explicit Wait(const ProgramSignals &signals)
        : signals(signals), seen(signals.count) {}
    bool is_over() const {
      return signals.count != seen || signals.pending != 0 ||
             Poller::Clock::now() < signals.just_interrupted.load();
    }

  private:
    const ProgramSignals &signals;
    uint32_t seen;
  };

private:
  void listen();
  void read();

  std::shared_ptr<SignalSource> source;
  std::function<void()> end_waits;
  uint64_t *arrived = nullptr; ///< in memory that the device reads
  std::atomic<uint64_t> pending = 0, used = 0;
  std::atomic<uint32_t> count = 0; ///< of interrupt()
  std::atomic<Poller::Clock::time_point> just_interrupted{};
  std::atomic<uint8_t> untaken[65] = {}; ///< how often each has come
  std::atomic<int> wakes = 0;            ///< of wake_after(), still to come
  std::once_flag listens;
  Poller poller; ///< its thread starts with the first handler
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_PROGRAM_SIGNALS_H
