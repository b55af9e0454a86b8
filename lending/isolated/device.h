//===-- lending/isolated/device.h - A device in a process apart -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated device in a process of its own, which has no files, no network
// and no right to start anything: its machine code is assumed to break into it
// one day. The two processes share the device's memory only.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_ISOLATED_DEVICE_H
#define GPUEXEC_LENDING_ISOLATED_DEVICE_H

#include "lending/client/device.h"
#include "lending/isolated/arena.h"
#include "lending/isolated/peer.h"
#include "lending/isolated/process.h"

namespace gpuexec::isolated {

/// Starts the process and has it open its device with `open`. Errors: as
/// gpuexec::open_device(), and Failure when there is no process to be had.
llvm::Expected<OpenedDevice> open_device(llvm::ArrayRef<Image> images,
                                         const Opener &open);

/// What a device in a process apart is made of.
struct Parts {
  Parts(std::unique_ptr<Arena> arena, std::unique_ptr<Process> process);
  std::unique_ptr<Arena> arena;               // the process is gone before it
  std::unique_ptr<wire::SharedMemory> shared; // all of the arena
  std::unique_ptr<Process> process;
};

class IsolatedDevice final : private Parts, public lending::RemoteDevice {
public:
  IsolatedDevice(Parts parts, wire::Facts facts)
      : Parts(std::move(parts)),
        RemoteDevice(*process, *shared, std::move(facts)) {}
  llvm::Error
  confine(llvm::function_ref<llvm::Error()> confine_thread) override;
};

} // namespace gpuexec::isolated

#endif
