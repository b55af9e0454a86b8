//===-- loader/job/job_device.cpp - See job_device.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/job_device.h"
#include "lending/open.h"
#include "loader/job/needed_services.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

namespace gpuexec {
namespace {

/// The value of the device's option "jit-cache".
std::string code_folder(const Job &job) {
  if (job.jit_cache.empty())
    return "default";
  if (job.jit_cache == "off")
    return job.jit_cache;
  llvm::SmallString<128> path(job.jit_cache);
  (void)llvm::sys::fs::make_absolute(path); // else a relative one
  return std::string(path);
}

} // namespace

llvm::Expected<OpenedDevice> open_device_of_job(const Job &job,
                                                llvm::ArrayRef<Image> images) {
  lending::DeviceSettings settings = job.device_settings;
  settings.load_code_ahead = llvm::any_of(images, shares_device);
  settings.launch = job.settings;
  if (settings.load_code_ahead && settings.server.empty())
    settings.server = "off"; // its device is another process's
  return lending::open_device(job.device, settings, images);
}

llvm::Error set_options_of_job(const Job &job, Device &device,
                               const Image &image) {
  auto set = [&](const DeviceOption &option) {
    llvm::Expected<Observable &> observable = need_observable(device);
    llvm::Error error = observable
                            ? observable->set_option(option.name, option.value)
                            : observable.takeError();
    return error ? failure(Reason::failed, "{0}: {1}", option.label,
                           llvm::toString(std::move(error)))
                 : llvm::Error::success();
  };
  for (const DeviceOption &option : job.device_options)
    if (llvm::Error error = set(option))
      return error;
  if (job.count_work &&
      (device.info().emulated || !image.find_global(GPUEXEC_REGIONS)))
    if (llvm::Error error = set({"stats", "on", job.count_work_label}))
      return error;
  if (!device.observable())
    return llvm::Error::success();
  if (!job.server.sandbox)
    return set({"jit-cache", code_folder(job), "--jit-cache"});
  // What breaks out of a sandbox must not choose what the next run executes.
  if (llvm::Error error = set({"jit-cache", "off", "--sandbox"}))
    return error;
  // In a sandbox the emulator can open no file when a fault is to be told.
  return set({"lines", "prepared", "--sandbox"});
}

} // namespace gpuexec
