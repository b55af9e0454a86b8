//===-- loader/job/job_device.h - The device that a job asks for -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_JOB_JOB_DEVICE_H
#define GPUEXEC_LOADER_JOB_JOB_DEVICE_H

#include "loader/job/job.h"

namespace gpuexec {

/// Opens or borrows the device that suits the job and one of its images.
/// Errors: Failure, ImageError.
llvm::Expected<OpenedDevice> open_device_of_job(const Job &job,
                                                llvm::ArrayRef<Image> images);

/// Sets the options of the device that the job asks for. Errors: Failure that
/// names the option.
llvm::Error set_options_of_job(const Job &job, Device &device,
                               const Image &image);

} // namespace gpuexec

#endif
