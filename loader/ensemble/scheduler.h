//===-- loader/ensemble/scheduler.h - Runs instances side by side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread starts instances, waits for the first that ends or a signal, and
// passes outputs on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_SCHEDULER_H
#define GPUEXEC_LOADER_ENSEMBLE_SCHEDULER_H

#include "loader/ensemble/batch.h"
#include "loader/ensemble/ensemble.h"
#include "loader/ensemble/instance_process.h"
#include "loader/ensemble/job_log.h"
#include "loader/ensemble/output.h"
#include "loader/ensemble/plan.h"
#include "loader/ensemble/progress.h"
#include <chrono>
#include <deque>
#include <list>
#include <map>

namespace gpuexec::ensemble {

class Scheduler {
public:
  using Clock = std::chrono::steady_clock;

  /// `options` are those of each instance, but for what `plan` says; `log` may
  /// be null. All outlive the scheduler. `launches`: many instances run in one
  /// launch.
  Scheduler(const RunOptions &options, const Plan &plan, JobLog *log,
            unsigned jobs, bool launches, const Host &host);
  /// Runs the instances that `log` does not have.
  ExitResult run(int signal_fd);

private:
  /// What is known of an instance from its start on.
  struct Record {
    const Instance *instance;
    unsigned slot;
    double start; ///< seconds since 1970
    Clock::time_point begin;
    Output out, errors;
    double seconds = 0;
    End end = {};
  };
  struct Running {
    Record record;
    InstanceProcess process;
    /// When it is killed, because it has not ended by itself; none: never.
    std::optional<Clock::time_point> deadline = std::nullopt;
    bool was_late = false;    ///< it was killed because of its time limit
    bool was_stopped = false; ///< it was asked to end with the others
  };

  /// An instance with all that it needs, which does not run yet.
  struct Prepared {
    Record record;
    UniqueFd input, directory;
  };
  /// A launch of many instances; those that have not ended have a record.
  struct Launch {
    Batch batch;
    std::vector<std::optional<Record>> records;
    Clock::time_point last_end;
  };

  bool may_start() const;
  llvm::Error start_some();
  llvm::Expected<Running> start(const Instance &instance, unsigned slot);
  llvm::Expected<Prepared> prepare(const Instance &instance, unsigned slot);
  llvm::Expected<std::pair<Output, Output>> outputs(const Instance &instance);
  llvm::Error start_launch();
  llvm::Error take_ends_of_launch();
  void end_launch();
  llvm::Error take_record(Record &record);
  ExitResult run_instance(const Instance &instance, unsigned slot,
                          int directory) const;
  llvm::Error wait(int signal_fd);
  void take_signal(int signal_fd);
  size_t running_count() const;
  int milliseconds_to_wait() const;
  void kill_late();
  llvm::Error take_end(Running &over);
  void count(End end);
  void halt_if_asked(const Instance &instance, unsigned slot, End end);
  llvm::Error pass_on_or_keep(Record &record);
  llvm::Error pass_on_ended();
  llvm::Error pass_on(Record &record);
  void stop(bool now);
  ExitResult result(llvm::Error error) const;

  const RunOptions &options;
  const EnsembleOptions &ensemble;
  const Plan &plan;
  JobLog *const log;
  const Results results;
  const Host &host;
  Progress progress;

  /// At most this many in a launch; 0: each instance has a process.
  size_t launch_size = 0;
  std::optional<Launch> launch;
  /// Those that a launch has not brought to their end: each is to run in a
  /// process of its own.
  std::deque<const Instance *> left_by_launches;
  std::deque<const Instance *> to_start;
  std::vector<unsigned> free_slots; ///< the lowest last
  std::list<Running> running;
  /// Outputs that wait for those of earlier instances (--keep-order), by the
  /// number; and the numbers of all that were started and not passed on.
  std::map<uint64_t, Record> ended;
  std::deque<uint64_t> order;
  size_t held_files = 0; ///< open files in `ended`
  bool is_stopping = false;
  int signal = 0;                 ///< that ends the command
  bool has_failed_itself = false; ///< own_failure_number has come
  std::optional<int> halt_status; ///< of --halt
};

} // namespace gpuexec::ensemble

#endif
