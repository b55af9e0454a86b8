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
  /// Begins to run the job. Any thread calls `notify` when is_over() may have
  /// become true, the worker also when it outlives the Execution. Fails, as
  /// Failure, when there is no thread to be had.
  static llvm::Expected<std::unique_ptr<Execution>>
  start(Job job, std::function<void()> notify);
  /// end(), and gives back what the job used. A worker that cannot be ended
  /// does that when it returns.
  ~Execution();
  Execution(const Execution &) = delete;

  /// The program has returned, failed or asked its host to end.
  bool is_over() const;
  /// The program has returned by itself, without an error: finish() need not
  /// wait for anybody.
  bool has_returned() const;
  /// How it ended; once, after is_over(). Writes out what the program has
  /// printed, which takes as long as its readers want.
  Result finish();
  /// The result of a job that somebody ends because Job::time_limit has passed.
  /// The program goes on, unless it has a schedule.
  Result timed_out() const;
  /// With a schedule: no wave runs any more when this returns, and what the
  /// program has done up to here can be repeated. Else without effect.
  void halt() const;
  /// Ends the program. True when no kernel and no thread of the job is left;
  /// false, without waiting for them, when the device cannot end a kernel.
  bool end();
  /// After has_returned(): frees the program and the device, and notes the
  /// time.
  void release();

  // From any thread, at any time:

  /// Where the program is: lines for a report.
  std::string where() const;
  /// Serves no further call of the program's, and writes out what it has
  /// printed and can no longer write itself.
  void write_last_words();
  /// The table of all calls, for ServerOptions::stats. After finish() it does
  /// not change any more, unless the job has failed.
  std::string call_table() const;
  /// What Job::count_work asks for; nothing when no device is open.
  std::optional<std::string> statistics(bool json) const;
  /// Adds what the trace can only show at the end: parallel regions of OpenMP.
  void complete_trace() const;

private:
  struct State;
  explicit Execution(std::shared_ptr<State> state) : state(std::move(state)) {}
  const std::shared_ptr<State> state;
  Thread worker;
};

} // namespace gpuexec

#endif
