//===-- loader/job/execution.h - A job that runs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of its own, the worker, does the work from reading the image to the
// last kernel. Other threads ask how far it is and end it. A worker that is
// stuck in a driver keeps alive what it uses, and frees it when it comes back.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_JOB_EXECUTION_H
#define GPUEXEC_LOADER_JOB_EXECUTION_H

#include "loader/job/job.h"
#include "support/thread.h"

namespace gpuexec {

class Execution {
public:
  /// Begins to run the job. `notify` is called, from any thread, when is_over()
  /// may have become true; a worker that outlives the Execution calls it, too.
  /// Error: Failure when no thread can be started.
  static llvm::Expected<std::unique_ptr<Execution>>
  start(Job job, std::function<void()> notify);
  /// Calls end() and frees what the job used. A worker that cannot be ended
  /// frees it when it returns.
  ~Execution();
  Execution(const Execution &) = delete;

  /// The program has returned, failed or asked its host to end.
  bool is_over() const;
  /// The program has returned by itself, without an error, and all its output
  /// is written: finish() does not wait.
  bool has_returned() const;
  /// Returns how the job ended. Call it once, after is_over(). Writes the
  /// output that is still buffered, which waits for its readers.
  Result finish();
  /// The result of a job that the caller ends because Job::time_limit has
  /// passed. The program goes on, unless it has a schedule.
  Result timed_out() const;
  /// With a schedule: no wave runs any more when this returns, and what the
  /// program has done up to here can be repeated. Else without effect.
  void halt() const;
  /// Ends the program. True when the device has stopped: no kernel and no
  /// thread of the job is left. False when the device cannot end a kernel or is
  /// not open: a thread that has not returned is not waited for.
  bool end();
  /// After has_returned(): frees the program and the device, and ends the phase
  /// "teardown".
  void release();

  // From any thread, at any time:

  /// Where the program is: lines for a report.
  std::string where() const;
  /// Stops serving the program's calls, and writes the output that it has
  /// handed over and that is still buffered.
  void write_buffered_output();
  /// The table of all calls, for ServerOptions::stats. After finish() it does
  /// not change any more, unless the job has failed.
  std::string call_table() const;
  /// What Job::count_work asks for; nothing when no device is open.
  std::optional<std::string> statistics(bool json) const;
  /// Adds what the trace can only show at the end: parallel regions of OpenMP.
  void complete_trace() const;

private:
  struct State;
  Result result_of_work();
  explicit Execution(std::shared_ptr<State> state) : state(std::move(state)) {}
  const std::shared_ptr<State> state;
  Thread worker;
};

} // namespace gpuexec

#endif
