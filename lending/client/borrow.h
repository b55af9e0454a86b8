//===-- lending/client/borrow.h - A device that a server lends --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server (`gpuexec serve`) keeps devices open and lends them to programs.
// Each program gets a worker, a process with the device. This process, the
// client, still serves the program's calls, through a mailbox that it shares
// with the worker: they use the client's files, environment, user and sandbox.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CLIENT_BORROW_H
#define GPUEXEC_LENDING_CLIENT_BORROW_H

#include "lending/client/settings.h"

namespace gpuexec::lending {

/// Asks the server that settings.server names for a device that suits the
/// request and one of the images, and waits until such a device is free.
/// Nothing when no server was named and this user has none or it lends no such
/// device; nothing, too, when only its emulated devices suit and this process
/// must have its own emulator. Errors: Failure when a named server is not there
/// or lends no such device, or when a server refuses the request.
llvm::Expected<std::optional<OpenedDevice>>
borrow_device(const DeviceRequest &request,
              const lending::DeviceSettings &settings,
              llvm::ArrayRef<Image> images);

} // namespace gpuexec::lending

#endif
