//===-- rpc/server/back_off.h - What to do without work ---------*- C++ -*-===//
// A server thread that finds nothing looks again at once, then lets others have
// the processor first, then sleeps. The longer nothing has happened, the longer
// it sleeps: what comes after a pause is late by a thousandth of the pause on
// average. But no sleep is shorter than what a wake-up costs makes sense of,
// and once the pause is long, waking up takes 2 % of a processor at most.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_BACK_OFF_H
#define GPUEXEC_RPC_SERVER_BACK_OFF_H

#include <chrono>
#include <cstdint>

namespace gpuexec::rpc {

enum class Idle { look, yield, sleep };

// Sleeping early is what hurts on a busy machine: a thread that wakes up queues
// behind all others, one that yields does not. But where all are busy a yield
// is a slice of somebody else's, so the pauses between the packets of one call,
// which are tens of microseconds on an emulated device, are no reason for one.
inline constexpr std::chrono::nanoseconds LOOK_FOR =
    std::chrono::microseconds(50);
inline constexpr std::chrono::nanoseconds YIELD_UNTIL =
    std::chrono::microseconds(300);

/// What a thread does that has had nothing for so long.
Idle idle_step(std::chrono::nanoseconds quiet);

/// How long it sleeps then. `wake_cost`: processor time of one wake-up, with a
/// look at the mailbox.
std::chrono::nanoseconds sleep_length(std::chrono::nanoseconds quiet,
                                      std::chrono::nanoseconds wake_cost);

/// What waking up costs a thread on this machine: some microseconds, or some
/// tens where timers are a hypervisor's.
class WakeCost {
public:
  /// The thread has slept and found nothing: once for every sleep.
  void slept();
  /// It found something: what it has used since was not for waking up.
  void interrupted() { since = {}; }

  /// So many sleeps have taken so much processor time.
  void add(uint64_t sleeps, std::chrono::nanoseconds used);
  /// Of one of the last sleeps, on average; a guess before there is a number.
  std::chrono::nanoseconds each() const;

private:
  // Where a clock of processor time moves by milliseconds, only many tell.
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
