//===-- rpc/services/options.h - What a server is told ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_OPTIONS_H
#define GPUEXEC_RPC_SERVICES_OPTIONS_H

#include "support/descriptor.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpuexec::rpc {

class Journal;
class Trace;

struct SandboxDirectory {
  std::string path;
  bool writable = false;
  /// Where the program finds it, absolute. "": where the host has it.
  std::string name = {};
  /// Of the open directory, which `path` then only names in messages; null: it
  /// is opened by `path`.
  std::shared_ptr<UniqueFd> handle = nullptr;
};

struct ServerOptions {
  /// The image's path, for messages.
  std::string program_name;
  /// The device's, as its driver gives it; for services.
  std::string device_name;
  /// Standard streams of the program; the server does not close them.
  int stdin_fd = 0, stdout_fd = 1, stderr_fd = 2;
  /// The program's working directory; the server does not close it. -1: the
  /// process's own.
  int working_directory = -1;
  /// Files only below `directories`, no system() and popen().
  bool sandbox = false;
  std::vector<SandboxDirectory> directories;
  /// Shared libraries that serve opcodes of their own, gpuexec_service.h.
  std::vector<std::string> services;
  /// They may have a library of the device's vendor run kernels beside the
  /// program's.
  bool vendor_library = false;
  /// Events per request go here; null for none.
  std::shared_ptr<Trace> trace;
  /// Sees every call, and may answer it; null for none.
  std::shared_ptr<Journal> journal;
  /// No thread serves by itself: the device waits while Server::turn() does.
  bool lockstep = false;
  /// Count and time every request, for stats_table().
  bool stats = false;
  /// The largest number of threads; 0: chosen by the number of processors.
  unsigned max_threads = 0;
  /// Alignment of MALLOC's answers, spec section 3.5.
  uint64_t malloc_alignment = 2u << 20;
  /// HOST_CALL is refused unless this says yes to the address.
  std::function<bool(uint64_t address)> allow_host_call;
  /// From how many bytes BULK_* beats packets; what device code is told.
  uint64_t bulk_threshold = 1024;
  /// RPC_FEATURE_* withheld from the program.
  uint32_t disabled_features = 0;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_OPTIONS_H
