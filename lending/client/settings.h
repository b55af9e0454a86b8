//===-- lending/client/settings.h - Where a device may live -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program gets its device: in this process, in a process of its own, or
// from a server.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CLIENT_SETTINGS_H
#define GPUEXEC_LENDING_CLIENT_SETTINGS_H

#include "lending/transport/credentials.h"
#include "loader/device/device.h"

namespace gpuexec::lending {

struct DeviceSettings : OpenSettings {
  /// An emulated device is to live in a process of its own (lending/isolated/).
  bool isolate = false;
  /// A device that cannot live in a process of its own is not to be opened.
  bool must_isolate = false;
  /// A server is not to run the program beside others, whose faults end it.
  bool alone = false;
  /// Else how often it was among programs of which one had faulted: once, and
  /// it runs beside a few others; more often, and it runs alone.
  uint8_t suspicion = 0;
  /// How the program will be loaded; nothing: not known yet. A server's worker
  /// begins with that when it gets the image.
  std::optional<LaunchSettings> launch;
  /// Who may lend a device: the socket of a server, the address of one on
  /// another machine, "off", or "": this user's server, if there is one.
  std::string server = "off";
  /// For a server on another machine.
  CredentialFiles credentials;
};

} // namespace gpuexec::lending

#endif
