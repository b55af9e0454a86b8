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

  /// What a client needs of a worker.
  struct Kind {
    bool fault_report = false;
    /// Its programs run beside those of others: at most `most`, which have the
    /// same suspicion (wire::Borrow).
    bool shared = false;
    unsigned suspicion = 0, most = 1;
    auto operator<=>(const Kind &) const = default;
  };

  Pool(DeviceInfo info, size_t most, size_t most_shared = 0)
      : info(std::move(info)), most(most), most_shared(most_shared) {}

  size_t count(WorkerProcess::State state) const;
  WorkerProcess *idle(Kind kind) const;
  /// How many workers there are that run programs beside others, or that do
  /// not; without those that a fault will end.
  size_t count_of(bool shared) const;
  /// How many workers of the kind there are in that state, or in any.
  size_t count_of(Kind kind,
                  std::optional<WorkerProcess::State> state = {}) const;
  /// A service for one more worker of the kind; null: a new one is needed.
  std::shared_ptr<Mps> service_for(Kind kind) const;
  /// How many workers run programs beside others now.
  size_t lent_together() const;
  /// How many workers were lent after `then` and still have their clients.
  size_t lent_since(Clock::time_point then) const;
  bool is_full(Kind kind) const {
    return kind.shared ? count_of(kind) >= most_shared
                       : count_of(false) >= most;
  }
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
  /// Ends an idle worker, shared or not, if there is one.
  bool retire_idle(bool shared);
  /// Ends workers that have been idle for long, but keeps `spare` idle ones.
  void retire_long_idle(size_t spare);
  /// Notes that a worker could not be started or open the device, and the
  /// reason.
  void has_failed(std::string why);
  /// Notes that a worker without a client has ended and given no reason.
  void has_lost_worker();
  /// Ends a worker and removes it from `workers`.
  void remove(const WorkerProcess &worker);
  /// Ends workers whose contexts a fault of another program has ended. Those
  /// that are lent end by themselves, when they have told their clients.
  void retire_faulted();
  void has_worked() {
    failures = 0;
    works = true;
  }

  const DeviceInfo info;
  const size_t most; ///< workers at a time that share nothing
  /// And those that run programs beside others, of a suspicion.
  const size_t most_shared;
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  bool works = false;
  unsigned failures = 0; ///< since a worker last became ready
  std::string why_failed;
  /// When a fault last ended programs that ran side by side, and when a culprit
  /// was last found (Server::acquit()).
  Clock::time_point last_fault, last_culprit;

private:
  /// Workers that may end without a reason before the pool is hopeless.
  static constexpr unsigned MOST_SILENT = 4;
  void try_later(std::chrono::milliseconds first);
  bool has_said_why = false;
  Clock::time_point retry; ///< no worker is started before
};

} // namespace gpuexec::serve

#endif
