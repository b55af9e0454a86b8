//===-- emulator/hsa/events.h - Handlers of signals -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread, created with the first handler, calls each handler whose
// condition holds: asynchronous signal handlers, queues that wait at a barrier
// packet, copies that wait for others.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_EVENTS_H
#define GPUEXEC_EMULATOR_HSA_EVENTS_H

#include "support/thread.h"

#include <hsa/hsa.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <vector>

namespace gpuexec::emulator {

class Signals;

class Events {
public:
  ~Events() { stop(); }
  /// Calls `handler` on the events' thread, without locks, with a value for
  /// which `is_due` holds, again and again until it returns false. A null
  /// signal is due at once with the value 0. False when the host has no thread:
  /// the handler will never be called.
  bool watch(Signals &signals, hsa_signal_t signal,
             std::function<bool(hsa_signal_value_t)> is_due,
             std::function<bool(hsa_signal_value_t)> handler);
  /// watch(), for handlers that the API has promised to call: ends the process
  /// with a message when there is no thread.
  void must_watch(Signals &signals, hsa_signal_t signal,
                  std::function<bool(hsa_signal_value_t)> is_due,
                  std::function<bool(hsa_signal_value_t)> handler);
  /// Calls `task` once each of the signals has been seen at zero, one after the
  /// other; null ones count as zero. stop() drops a task that still waits.
  void when_zero(Signals &signals, std::vector<hsa_signal_t> awaited,
                 std::function<void()> task);
  /// Drops the handlers of a signal that is destroyed.
  void forget(hsa_signal_t signal);
  /// To be called when a watched signal may have changed.
  void notify();
  /// Calls no handler any more; one that runs goes on.
  void refuse();
  /// Ends the thread and drops all handlers. Not to be called by a handler.
  void stop();

private:
  struct Watch {
    hsa_signal_t signal;
    std::function<bool(hsa_signal_value_t)> is_due, handler;
    // busy: the handler runs, the list keeps the watch; gone: run() drops it.
    bool busy = false, gone = false;
  };
  void run(Signals &signals);

  std::mutex lock;
  std::condition_variable wake;
  std::list<Watch> watches;
  Thread thread;
  bool changed = false, quit = false;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_EVENTS_H
