//===-- loader/job/instances_job.h - Many runs in one launch ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_JOB_INSTANCES_JOB_H
#define GPUEXEC_LOADER_JOB_INSTANCES_JOB_H

#include "loader/job/job.h"
#include "loader/program/instances.h"

namespace gpuexec {

/// Runs all instances of the job's image, which gpucc -fensemble has made, in
/// one launch on a device of this process. `ended` gets the place of each that
/// has come to its end and how it has ended, one call at a time. An error, of
/// which a fault of one instance is one, ends all; those that are not told of
/// have not ended.
llvm::Error run_instances(const Job &job, std::vector<InstanceOptions> options,
                          std::function<void(size_t, const Result &)> ended);

} // namespace gpuexec

#endif
