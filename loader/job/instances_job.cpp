//===-- loader/job/instances_job.cpp - See instances_job.h ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/instances_job.h"
#include "loader/job/job_device.h"
#include "support/failure.h"

namespace gpuexec {

llvm::Error run_instances(const Job &job, std::vector<InstanceOptions> options,
                          std::function<void(size_t, const Result &)> ended) {
  llvm::Expected<std::vector<Image>> images =
      Image::parse_all(job.bytes->getMemBufferRef());
  if (!images)
    return images.takeError();
  llvm::Expected<OpenedDevice> opened = open_device_of_job(job, *images);
  if (!opened)
    return opened.takeError();
  Device &device = *opened->device;
  if (llvm::Error error = set_options_of_job(job, device, *opened->image))
    return error;
  llvm::Expected<std::unique_ptr<Instances>> instances =
      Instances::load(device, *opened->image, job.settings, std::move(options));
  if (!instances)
    return instances.takeError();
  return (*instances)->run([&](size_t place, const rpc::Outcome &outcome) {
    ended(place, result_of(outcome, job.image));
  });
}

} // namespace gpuexec
