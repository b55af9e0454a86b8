//===-- rpc/server/worker.h - A thread that serves --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVER_WORKER_H
#define GPUEXEC_RPC_SERVER_WORKER_H

#include "rpc/server/back_off.h"
#include "rpc/server/stats.h"
#include "support/thread.h"
#include <atomic>

namespace gpuexec::rpc {

/// A thread that serves this many ports or more in one pass is under
/// contention: ports wait while it serves others.
inline constexpr unsigned CONTENTION = 4;

/// A thread that serves, and the state that only this thread writes.
struct Worker {
  Thread thread;
  bool handed_off = false; ///< another thread may own the port that it ran
  unsigned number = 0;
  unsigned served = 0;             ///< ports in the last pass
  unsigned passes = 0;             ///< so far
  bool polls = false;              ///< it looks at the mailbox; not parked
  std::atomic<uint32_t> share = 0; ///< its number among those that poll
  ThreadStats stats;
  std::atomic<int64_t> idle_ns = 0;
  /// Until this time the thread sleeps instead of yielding.
  std::chrono::steady_clock::time_point no_yields_until = {};
  /// WorkerPool::guest_passes when the thread last found nothing to do.
  uint64_t guest_passes = 0;
  WakeCost wake_cost;
  Pauses pauses;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_WORKER_H
