//===-- lending/server/pool.h - The workers of one device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers of one device: which are idle, how many there may be, and when the
// next may be started after failures.
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
  /// Workers of this kind that will soon be idle.
  size_t starting(bool fault_report) const;
  WorkerProcess *idle(bool fault_report) const;
  /// Clients that have got one since then, and are still there.
  size_t lent_since(Clock::time_point then) const;
  bool is_full() const { return workers.size() >= most; }
  /// Not while a device that has just failed is left alone.
  bool may_start(Clock::time_point now) const { return now >= retry; }
  /// It has a worker that works, or none does.
  bool is_known() const { return works || is_hopeless(); }
  /// No worker, and the last one said why, or several have ended without a
  /// word. One that was killed says nothing of the device.
  bool is_hopeless() const {
    return workers.empty() && failures > (has_said_why ? 0 : MOST_SILENT);
  }
  /// Ends an idle worker, if there is one.
  bool retire_idle();
  /// Ends those that nobody has needed for a while, but for `spare`.
  void retire_long_idle(size_t spare);
  /// The device cannot be opened: a worker's words.
  void has_failed(std::string why);
  /// A worker that had no client has ended without a word.
  void has_lost_worker();
  /// Ends it and forgets it.
  void remove(const WorkerProcess &worker);
  void has_worked() {
    failures = 0;
    works = true;
  }

  const DeviceInfo info;
  const size_t most; ///< workers
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  bool works = false;
  unsigned failures = 0; ///< since a worker last became ready
  std::string why_failed;

private:
  static constexpr unsigned MOST_SILENT = 4;
  void try_later(std::chrono::milliseconds first);
  bool has_said_why = false;
  Clock::time_point retry; ///< no worker is started before
};

} // namespace gpuexec::serve

#endif
