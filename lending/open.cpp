//===-- lending/open.cpp - Opens or borrows a device ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/open.h"
#include "lending/client/borrow.h"
#include "lending/isolated/device.h"
#include "loader/device/backend.h"

namespace gpuexec::lending {

/// Opens an emulated device in a process of its own.
static llvm::Expected<OpenedDevice> open_isolated(const Backend &backend,
                                                  const OpenRequest &request) {
  return isolated::open_device(request.images,
                               [&](llvm::MutableArrayRef<std::byte> memory) {
                                 OpenRequest inside = request;
                                 inside.settings.memory = memory;
                                 return backend.open(inside);
                               });
}

llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const DeviceSettings &settings,
                                         llvm::ArrayRef<Image> images) {
  if (settings.server != "off" && !settings.must_isolate) {
    llvm::Expected<std::optional<OpenedDevice>> lent =
        lending::borrow_device(request, settings, images);
    if (!lent)
      return lent.takeError();
    if (*lent)
      return std::move(**lent);
  }
  auto open = [&](const Backend &backend, const OpenRequest &wanted) {
    const bool isolates = settings.isolate && &backend == &emulator::backend;
    return isolates ? open_isolated(backend, wanted) : backend.open(wanted);
  };
  llvm::Expected<OpenedDevice> opened =
      gpuexec::open_device(request, settings, images, open);
  if (opened && settings.must_isolate && !opened->device->info().emulated)
    return failure(Reason::failed,
                   "--isolate: only the emulated device can do that");
  return opened;
}

} // namespace gpuexec::lending
