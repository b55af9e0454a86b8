//===-- loader/program/supervisor.h - Waiting for the end -------*- C++ -*-===//
// A program can end in several ways while some thread is stuck in a driver or
// in a pipe that nobody reads: work is done by threads of its own, and main
// only waits here for whatever comes first.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_SUPERVISOR_H
#define GPUEXEC_LOADER_PROGRAM_SUPERVISOR_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace gpuexec {

enum class Event {
  finished,  ///< the work has returned
  outcome,   ///< the program asked its host to end
  signal,    ///< someone wants us to end
  timed_out, ///< the deadline has passed
};

class Supervisor {
public:
  using Clock = std::chrono::steady_clock;

  /// `signal_fd` becomes readable when a signal has come; not owned.
  explicit Supervisor(int signal_fd);
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;

  /// Runs `work` on a thread of its own. It is joined only by finish(): a stuck
  /// one is left to the end of the process.
  void start(std::function<void()> work);
  /// Waits for the first event; outcome and signal are reported once each.
  Event wait(std::optional<Clock::time_point> deadline);
  /// From any thread: the program asked to end.
  void notify_outcome();
  /// After Event::finished.
  void join();

private:
  void post(unsigned char what);
  int signal_fd;
  int pipe_read = -1, pipe_write = -1;
  bool signal_seen = false;
  std::thread worker;
};

} // namespace gpuexec

#endif
