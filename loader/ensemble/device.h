//===-- loader/ensemble/device.h - Which device instances get ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An emulated device costs an instance a few milliseconds, in its own process.
// A GPU's driver takes a third of a second to open: a server of the ensemble's
// own keeps it open, and lends it to the instances (gpuexec serve).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_DEVICE_H
#define GPUEXEC_LOADER_ENSEMBLE_DEVICE_H

#include "loader/ensemble/instance_process.h"
#include "loader/process/options.h"
#include <memory>
#include <variant>

namespace gpuexec::ensemble {

struct FoundDevice {
  bool is_emulated = false;
  std::string spec; ///< as --device has it
};

/// Opens the device that suits the job, in another process, so that this one
/// keeps its one thread and no driver. Returns how the command must end when
/// there is none: that process has printed why.
std::variant<FoundDevice, ExitResult> find_device(const Job &job,
                                                  llvm::StringRef command);

/// A `gpuexec serve` that only this process uses, and that ends with it.
class PrivateServer {
public:
  /// Starts it for `jobs` programs at a time, side by side where the device's
  /// driver can do that. Errors: Failure with what the server has said.
  static llvm::Expected<std::unique_ptr<PrivateServer>>
  start(const FoundDevice &device, unsigned jobs);
  PrivateServer(const PrivateServer &) = delete;
  ~PrivateServer();
  std::string socket() const { return folder + "/serve"; }
  /// Programs run side by side: a fault of one ends the others.
  bool is_shared() const { return shared; }

private:
  PrivateServer() = default;
  std::string folder; ///< of this user alone
  bool shared = false;
  std::optional<InstanceProcess> process;
};

} // namespace gpuexec::ensemble

#endif
