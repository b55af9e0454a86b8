//===-- loader/device/hsa/backend.cpp - AMD GPUs through ROCm -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/runtime.h"

namespace gpuexec::hsa {

static constexpr char SYSTEM_LIBRARY[] = "libhsa-runtime64.so.1";

bool any_amd(llvm::ArrayRef<Image> images) {
  return llvm::any_of(images, [](const Image &image) {
    return image.format() == Image::Format::amdgpu;
  });
}

llvm::Expected<OpenedDevice>
open_device(llvm::Expected<std::shared_ptr<Runtime>> runtime,
            const OpenRequest &request) {
  if (!runtime)
    return runtime.takeError();
  llvm::Expected<std::vector<hsa_agent_t>> agents = (*runtime)->gpu_agents();
  if (!agents)
    return agents.takeError();
  return open_suitable(
      request, uint32_t(agents->size()),
      [&](uint32_t i) { return (*runtime)->describe((*agents)[i], i); },
      [&](uint32_t i) { return open_device(*runtime, i); });
}

void list_devices(llvm::Expected<std::shared_ptr<Runtime>> runtime,
                  std::vector<DeviceInfo> &devices,
                  llvm::function_ref<void(llvm::Twine)> warn) {
  if (!runtime)
    return warn(llvm::toString(runtime.takeError()));
  llvm::Expected<std::vector<hsa_agent_t>> agents = (*runtime)->gpu_agents();
  if (!agents)
    return warn(llvm::toString(agents.takeError()));
  for (uint32_t index = 0; index < agents->size(); ++index) {
    llvm::Expected<DeviceInfo> info =
        (*runtime)->describe((*agents)[index], index);
    if (info)
      devices.push_back(std::move(*info));
    else
      warn(llvm::toString(info.takeError()));
  }
}

/// Suits if the system's runtime works and has a GPU that can run an image. If
/// that runtime fails, the emulator, the next back end, is tried.
static Probe probe(llvm::ArrayRef<Image> images) {
  if (!any_amd(images) || !system_has_driver())
    return {};
  std::vector<DeviceInfo> devices;
  llvm::Expected<std::shared_ptr<Runtime>> runtime =
      Runtime::open(SYSTEM_LIBRARY, Kind::system);
  if (!runtime) {
    llvm::consumeError(runtime.takeError());
    return {};
  }
  list_devices(*runtime, devices, [](const llvm::Twine &) {});
  for (const DeviceInfo &info : devices)
    if (any_runs_on(images, info))
      return {Probe::Suits::yes, *runtime};
  return {};
}

static llvm::Expected<OpenedDevice> open(const OpenRequest &request) {
  llvm::Expected<std::shared_ptr<Runtime>> runtime =
      Runtime::open(SYSTEM_LIBRARY, Kind::system);
  if (!runtime && !system_has_driver()) {
    llvm::consumeError(runtime.takeError()); // this message says the cause
    return failure(Reason::failed,
                   "no device hsa: this machine has no AMD GPU (no /dev/kfd)");
  }
  return open_device(std::move(runtime), request);
}

static void list(std::vector<DeviceInfo> &devices,
                 llvm::function_ref<void(llvm::Twine)> warn) {
  if (system_has_driver())
    list_devices(Runtime::open(SYSTEM_LIBRARY, Kind::system), devices, warn);
}

const Backend backend = {backend_name(Kind::system), probe, open, list};

} // namespace gpuexec::hsa
