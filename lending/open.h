//===-- lending/open.h - Opens or borrows a device --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a program's device where the settings want it. loader/device/ knows the
// devices of this process alone; this file stands above it and above the
// devices of other processes, so that neither knows the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_OPEN_H
#define GPUEXEC_LENDING_OPEN_H

#include "lending/client/settings.h"

namespace gpuexec::lending {

/// As gpuexec::open_device(), and besides: asks a server first, and opens an
/// emulated device in a process of its own. Errors: as there, and Failure when
/// the server that was named is not there or refuses, or when the device must
/// be isolated and cannot be.
llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const DeviceSettings &settings,
                                         llvm::ArrayRef<Image> images);

} // namespace gpuexec::lending

#endif
