//===-- lending/server/settings.h - What the server was told ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `gpuexec serve` is to do; loader/apps/serve/ makes it of a command line.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_SETTINGS_H
#define GPUEXEC_LENDING_SERVER_SETTINGS_H

#include "lending/transport/credentials.h"
#include "loader/command_line/option_table.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::serve {

/// The most processes that NVIDIA's MPS serves on a GPU (driver 580, H200).
inline constexpr unsigned MOST_TOGETHER = 48;

struct Settings : CommandOptions {
  enum class Action { serve, status, stop, work };
  Action action = Action::serve;
  std::string socket;               ///< where to listen or connect
  std::vector<std::string> listen;  ///< addresses for other machines
  CredentialFiles credentials;      ///< for other machines
  std::vector<std::string> devices; ///< as --device; none: the machine's GPUs
  std::optional<unsigned> workers;  ///< of a device, at most
  /// Programs that run side by side on a GPU, at most; 1: they take turns.
  unsigned together = 1;
  std::optional<unsigned> spare; ///< idle workers to keep for each device
  uint64_t memory_limit = 0;     ///< bytes that a program may allocate; 0: any
  std::optional<std::chrono::duration<double>> time_limit; ///< of a program
  unsigned jobs = 0; ///< programs of a session at a time; 0: any number
  std::optional<std::chrono::duration<double>> idle_exit;
  bool foreground = false;
  bool now = false; ///< --stop ends what runs

  /// The most workers of one device of this machine.
  unsigned most_workers(bool emulated) const;
  /// Idle workers to keep on each device: the driver takes a third of a second
  /// to open one that runs beside others.
  unsigned spare_workers() const {
    return spare.value_or(together > 1 ? together : 1);
  }
};

} // namespace gpuexec::serve

#endif
