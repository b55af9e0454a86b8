//===-- loader/process/supervisor.h - Waiting for events --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program can end in several ways while some thread is stuck in a driver or
// in a pipe that nobody reads. So other threads do the work, and main only
// waits here for the first event. A stuck thread outlives its supervisor: they
// share nothing but a pipe, which lives as long as either of them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_SUPERVISOR_H
#define GPUEXEC_LOADER_PROCESS_SUPERVISOR_H

#include "support/descriptor.h"
#include "support/thread.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace gpuexec {

enum class Event {
  finished,  ///< the work is done, or a notifier says that the job is over
  confined,  ///< the job's thread confines the process; this one is to follow
  signal,    ///< a signal that ends gpuexec has come
  asked,     ///< SIGQUIT: the user asks where the program is
  timed_out, ///< the deadline has passed
};

class Supervisor {
public:
  using Clock = std::chrono::steady_clock;

  /// `signal_fd` yields the numbers of signals, of 4 bytes; not owned. Fails,
  /// as Failure, when the process has no descriptors left.
  static llvm::Expected<Supervisor> create(int signal_fd);
  /// Work that has not been joined goes on by itself, if need be until the
  /// process ends: what it uses must not die with the supervisor.
  ~Supervisor();
  Supervisor(Supervisor &&) = default;

  /// Runs `work` on a thread of its own, then posts Event::finished. Error:
  /// Failure when no thread can be started.
  llvm::Error start(std::function<void()> work);
  /// Waits for the next event. A signal that ends gpuexec is reported once.
  Event wait(std::optional<Clock::time_point> deadline);
  /// After Event::signal: its number.
  int signal() const { return number; }
  /// A function that posts an event, from any thread and at any time.
  std::function<void()> notifier(Event event) const;
  /// Waits for the thread of start(). Call it after Event::finished.
  void join();

private:
  struct Events;
  Supervisor(int signal_fd, std::shared_ptr<const Events> events)
      : signal_fd(signal_fd), events(std::move(events)) {}
  int signal_fd;
  std::shared_ptr<const Events> events;
  bool signal_seen = false;
  int number = 0;
  Thread worker;
};

} // namespace gpuexec

#endif
