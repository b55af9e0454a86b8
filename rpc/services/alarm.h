//===-- rpc/services/alarm.h - The program's timer --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_ALARM_H
#define GPUEXEC_RPC_SERVICES_ALARM_H

#include "rpc/server/outcome.h"
#include "rpc/server/poller.h"

namespace gpuexec::rpc {

/// A timer that ends the program as SIGALRM would. Thread-safe.
class Alarm {
public:
  explicit Alarm(OutcomeRecord &outcome);
  /// Ends the program after `delay`, instead of at an earlier call's time; 0
  /// stops the timer.
  void set(std::chrono::nanoseconds delay);

private:
  void expired(void *cookie);
  OutcomeRecord &outcome;
  std::mutex mutex;
  uintptr_t order = 0; ///< number of the newest one
  bool is_set = false;
  Poller::Clock::time_point deadline;
  Poller poller; ///< its thread starts with the first order
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_ALARM_H
