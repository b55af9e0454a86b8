//===-- loader/device/cuda/backend.cpp - NVIDIA GPUs through CUDA ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/driver.h"
#include <cstdlib>

namespace gpuexec::cuda {

static constexpr char SYSTEM_LIBRARY[] = "libcuda.so.1";

/// Only open() knows whether there is a GPU: initialising the driver to find
/// out takes longer than many programs run.
static Probe probe(llvm::ArrayRef<Image> images) {
  bool for_us = llvm::any_of(images, [](const Image &image) {
    return image.format() != Image::Format::amdgpu;
  });
  return {for_us ? Probe::Suits::maybe : Probe::Suits::no, nullptr};
}

/// Sets up the driver, before it starts, so that kernels of its libraries can
/// run while the program's kernel waits for them. Loading code would wait for
/// the program's kernel; so would a stream that shares a queue of the hardware
/// with the program's stream. With the driver's default number of queues 3 of
/// 16 programs whose threads called cuBLAS hung (H200, driver 580), with 8 to
/// 32 queues none of 74. gpuexec uses four streams, and cuSOLVER some more.
static void run_beside_libraries() {
  ::setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/0);
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
}

/// The error of a driver that could not be opened, in the words of the request.
static llvm::Error tell_missing(const OpenRequest &request, llvm::Error error) {
  Reason reason = Reason::not_runnable;
  std::string why;
  llvm::handleAllErrors(std::move(error), [&](const Failure &failure) {
    if (failure.reason() == Reason::no_device)
      reason = Reason::no_device;
    why = failure.message();
  });
  llvm::StringRef known = why;
  known.consume_front("cuda: ");
  if (request.named)
    return failure(Reason::failed, "no device cuda: {0}", known);
  return failure(reason,
                 "{0}: only an NVIDIA GPU runs this, and there is no device "
                 "cuda: {1}; PTX runs on an emulated one (gpucc --emit-ptx)",
                 request.images.front().name(), known);
}

static llvm::Expected<OpenedDevice> open(const OpenRequest &request) {
  std::unique_ptr<FaultReport> faults;
  if (request.settings.fault_report)
    faults = std::make_unique<FaultReport>();
  if (request.settings.load_code_ahead) // keeps variables that the user has set
    run_beside_libraries();
  llvm::Expected<Api> api = load_driver(SYSTEM_LIBRARY);
  if (!api)
    return tell_missing(request, api.takeError());
  int count = 0;
  if (!request.index)
    if (llvm::Error error =
            api->check(api->cuDeviceGetCount(&count), "counting devices"))
      return std::move(error);
  return open_suitable(
      request, uint32_t(count), [&](uint32_t i) { return describe(*api, i); },
      [&](uint32_t i) {
        return open_device(*api, i, std::move(faults), request.settings.shared);
      });
}

static void list(std::vector<DeviceInfo> &devices,
                 llvm::function_ref<void(llvm::Twine)> warn) {
  list_devices(SYSTEM_LIBRARY, devices, warn);
}

const Backend backend = {"cuda", probe, open, list};

} // namespace gpuexec::cuda
