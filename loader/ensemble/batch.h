//===-- loader/ensemble/batch.h - Instances of one launch -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image of gpucc -fensemble runs many instances in one launch, in a process
// of their own, which tells of each that has ended. When the launch fails,
// because one of them has faulted, say, or does not end, the others have to be
// run again.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_BATCH_H
#define GPUEXEC_LOADER_ENSEMBLE_BATCH_H

#include "loader/ensemble/instance_process.h"
#include "loader/ensemble/job_log.h"
#include "loader/job/instances_job.h"

namespace gpuexec::ensemble {

/// True if one launch can run many instances of the job.
bool suits_batches(const Job &job);

class Batch {
public:
  /// Starts a process that runs them all. The files in the options stay open in
  /// that process. `tells_errors`: it prints why a launch has failed. Errors:
  /// Failure.
  static llvm::Expected<Batch> start(const Job &job,
                                     std::vector<InstanceOptions> options,
                                     bool tells_errors);
  Batch(Batch &&) = default;

  struct Ended {
    size_t place; ///< in the list of options
    End end;
    double seconds; ///< since the batch was started
  };
  /// Becomes readable when there is something to read, or the process ends.
  int descriptor() const { return pipe.get(); }
  /// What has come. Nothing: the process has ended.
  std::optional<std::vector<Ended>> read();
  void signal(int number) const { process.signal(number); }

private:
  Batch(InstanceProcess process, UniqueFd pipe, size_t count)
      : process(std::move(process)), pipe(std::move(pipe)), count(count) {}
  InstanceProcess process;
  UniqueFd pipe;
  size_t count;
};

} // namespace gpuexec::ensemble

#endif
