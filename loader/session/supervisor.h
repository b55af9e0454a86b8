//===-- loader/session/supervisor.h - Waiting for the end -------*- C++ -*-===//
// A program can end in several ways while some thread is stuck in a driver or
// in a pipe that nobody reads: work is done by threads of its own, and main
// only waits here for whatever comes first. A stuck thread outlives its
// supervisor, so the two share nothing but the pipe that tells of events, which
// lives as long as either of them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_SUPERVISOR_H
#define GPUEXEC_LOADER_SESSION_SUPERVISOR_H

#include "support/thread.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace gpuexec {

enum class Event {
  finished,  ///< the work has returned
  outcome,   ///< the program asked its host to end
  confined,  ///< the work confines the process, and asks its waiting thread to
  signal,    ///< someone wants us to end
  timed_out, ///< the deadline has passed
};

class Supervisor {
public:
  using Clock = std::chrono::steady_clock;

  /// `signal_fd` becomes readable when a signal has come; not owned. Fails, as
  /// Failure 125, when the process has no descriptors left.
  static llvm::Expected<Supervisor> create(int signal_fd);
  /// Work that has not been joined goes on by itself, if it has to until the
  /// end of the process: what it uses must not die with the supervisor.
  ~Supervisor();
  Supervisor(Supervisor &&) = default;

  /// Runs `work` on a thread of its own. Fails, as Failure 125, when there is
  /// none to be had.
  llvm::Error start(std::function<void()> work);
  /// Waits for the first event; outcome and signal are reported once each.
  Event wait(std::optional<Clock::time_point> deadline);
  /// What tells, from any thread and at any time, that the program asked to
  /// end.
  std::function<void()> outcome_notifier() const;
  /// The same for Event::confined.
  std::function<void()> confined_notifier() const;
  /// After Event::finished.
  void join();

private:
  struct Pipe;
  Supervisor(int signal_fd, std::shared_ptr<const Pipe> pipe)
      : signal_fd(signal_fd), pipe(std::move(pipe)) {}
  int signal_fd;
  std::shared_ptr<const Pipe> pipe;
  bool signal_seen = false;
  Thread worker;
};

} // namespace gpuexec

#endif
