//===-- loader/device/emulator/backend.cpp - The AMD GPU on the CPU -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's own HSA runtime, in this process.
//===----------------------------------------------------------------------===//
#include "loader/device/hsa/runtime.h"

namespace gpuexec::emulator {

static llvm::Expected<std::shared_ptr<hsa::Runtime>>
open_runtime(llvm::MutableArrayRef<std::byte> memory = {}) {
  return hsa::Runtime::open(hsa::emulator_library(), hsa::Kind::emulated,
                            memory);
}

static Probe probe(llvm::ArrayRef<Image> images) {
  return {hsa::any_amd(images) ? Probe::Suits::yes : Probe::Suits::no, nullptr};
}

static llvm::Expected<OpenedDevice> open(const OpenRequest &request) {
  return hsa::open_device(open_runtime(request.settings.memory), request);
}

static void list(std::vector<DeviceInfo> &devices,
                 llvm::function_ref<void(llvm::Twine)> warn) {
  hsa::list_devices(open_runtime(), devices, warn);
}

const Backend backend = {hsa::backend_name(hsa::Kind::emulated), probe, open,
                         list};

} // namespace gpuexec::emulator
