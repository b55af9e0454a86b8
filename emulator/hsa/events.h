//===-- emulator/hsa/events.h - What is to happen when a signal changes ---===//
// One thread, created with the first handler, that calls handlers whose
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
  /// `handler` is called on the events' thread, without locks, with a value for
  /// which `is_due` holds; as long as it returns true it stays. A null signal
  /// is due at once, with the value 0. False when there is no thread to be had:
  /// nothing will be called.
  bool watch(Signals &signals, hsa_signal_t signal,
             std::function<bool(hsa_signal_value_t)> is_due,
             std::function<bool(hsa_signal_value_t)> handler);
  /// watch(), or the end of the process with a message: for what the runtime
  /// has promised already.
  void must_watch(Signals &signals, hsa_signal_t signal,
                  std::function<bool(hsa_signal_value_t)> is_due,
                  std::function<bool(hsa_signal_value_t)> handler);
  /// Calls `task` once all signals are zero (null ones count as zero), at the
  /// latest when stopping.
  void when_zero(Signals &signals, std::vector<hsa_signal_t> awaited,
                 std::function<void()> task);
  /// Forgets what waits for a signal that is destroyed.
  void forget(hsa_signal_t signal);
  /// A watched signal may have changed.
  void notify();
  /// Ends the thread; handlers are forgotten.
  void stop();

private:
  struct Watch {
    hsa_signal_t signal;
    std::function<bool(hsa_signal_value_t)> is_due, handler;
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
