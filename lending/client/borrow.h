//===-- lending/client/borrow.h - A device that a server lends --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server (`gpuexec serve`) keeps devices open and lends them to programs, one
// worker process to a program. This process serves the program's calls itself,
// through a mailbox that it shares with the worker: with its own files,
// environment, user and sandbox.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CLIENT_BORROW_H
#define GPUEXEC_LENDING_CLIENT_BORROW_H

#include "lending/client/settings.h"

namespace gpuexec::lending {

/// Asks the server that settings.server names for a device that suits the
/// request and one of the images, and waits until it is free. Nothing when no
/// server was named and this user has none, or it lends no such device. Errors:
/// Failure when the server that was named is not there or refuses.
llvm::Expected<std::optional<OpenedDevice>>
borrow_device(const DeviceRequest &request,
              const lending::DeviceSettings &settings,
              llvm::ArrayRef<Image> images);

} // namespace gpuexec::lending

#endif
