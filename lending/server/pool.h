//===-- lending/server/pool.h - The workers of one device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers of one device: which are idle, how many there may be, and when
// the next one may be started after failures.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_POOL_H
#define GPUEXEC_LENDING_SERVER_POOL_H

#include "lending/server/worker_process.h"
#include "loader/device/device.h"
#include <vector>

namespace gpuexec::serve {

struct Pool {
  using Clock = WorkerProcess::Clock;

  Pool(DeviceInfo info, size_t most) : info(std::move(info)), most(most) {}

  size_t count(WorkerProcess::State state) const;
  /// How many workers are starting that report faults (that do not, if
  /// `fault_report` is false).
  size_t starting(bool fault_report) const;
  WorkerProcess *idle(bool fault_report) const;
  /// How many workers were lent after `then` and still have their clients.
  size_t lent_since(Clock::time_point then) const;
  bool is_full() const { return workers.size() >= most; }
  /// False for a while after a failure.
  bool may_start(Clock::time_point now) const { return now >= retry; }
  /// True once a worker has opened the device, or the pool is hopeless.
  bool is_known() const { return works || is_hopeless(); }
  /// True when there is no worker, and the device seems to be the cause: the
  /// last failure had a reason, or more than MOST_SILENT workers have ended
  /// without one. A single such worker may only have been killed.
  bool is_hopeless() const {
    return workers.empty() && failures > (has_said_why ? 0 : MOST_SILENT);
  }
  /// Ends an idle worker, if there is one.
  bool retire_idle();
  /// Ends workers that have been idle for long, but keeps `spare` idle ones.
  void retire_long_idle(size_t spare);
  /// Notes that a worker could not be started or open the device, and the
  /// reason.
  void has_failed(std::string why);
  /// Notes that a worker without a client has ended and given no reason.
  void has_lost_worker();
  /// Ends a worker and removes it from `workers`.
  void remove(const WorkerProcess &worker);
  void has_worked() {
    failures = 0;
    works = true;
  }

  const DeviceInfo info;
  const size_t most; ///< workers at a time
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  bool works = false;
  unsigned failures = 0; ///< since a worker last became ready
  std::string why_failed;

private:
  /// Workers that may end without a reason before the pool is hopeless.
  static constexpr unsigned MOST_SILENT = 4;
  void try_later(std::chrono::milliseconds first);
  bool has_said_why = false;
  Clock::time_point retry; ///< no worker is started before
};

} // namespace gpuexec::serve

#endif
