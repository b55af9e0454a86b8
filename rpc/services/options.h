//===-- rpc/services/options.h - Options of a server ------------*- C++ -*-===//
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
  /// The absolute path by which the program sees it. "": the host's path.
  std::string name = {};
  /// The open directory; `path` then only names it in messages. Null: the
  /// server opens `path`.
  std::shared_ptr<UniqueFd> handle = nullptr;
};

/// What a program does with a signal.
enum class SignalUse : uint8_t { by_default, ignored, handled };

/// Where the signals of the process come from, which belong to the embedder.
class SignalSource {
public:
  virtual ~SignalSource() = default;
  /// A pipe with the numbers, of 4 bytes, of signals that the program handles.
  virtual int descriptor() const = 0;
  /// Says what becomes of a signal from now on. False: the program cannot have
  /// it. From any thread.
  virtual bool use(int number, SignalUse what) = 0;
  /// A signal has come for the third time since the program last looked. From
  /// any thread.
  virtual void not_taken(int number) = 0;
};

struct ServerOptions {
  /// The image's path, for messages.
  std::string program_name;
  /// The device's name, as its driver gives it; for services.
  std::string device_name;
  /// Standard streams of the program; the server does not close them.
  int stdin_fd = 0, stdout_fd = 1, stderr_fd = 2;
  /// The program's working directory; the server does not close it. -1: the
  /// process's own.
  int working_directory = -1;
  /// The program may use only files below `directories`, and no system(),
  /// popen(), sockets and the like.
  bool sandbox = false;
  std::vector<SandboxDirectory> directories;
  /// Shared libraries that serve opcodes of their own, gpuexec_service.h.
  std::vector<std::string> services;
  /// `services` may use a library of the device's vendor, which runs kernels
  /// beside the program's.
  bool vendor_library = false;
  /// Gets an event for each request; null for none.
  std::shared_ptr<Trace> trace;
  /// Records every call, or answers it; null for none.
  std::shared_ptr<Journal> journal;
  /// Requests are served only in Server::turn(), while the device stands still.
  bool lockstep = false;
  /// Count and time every request, for stats_table().
  bool stats = false;
  /// The largest number of polling threads; 0: chosen by the number of
  /// processors.
  unsigned max_threads = 0;
  /// Alignment of MALLOC's answers, spec section 3.5.
  uint64_t malloc_alignment = 2u << 20;
  /// Whether HOST_CALL may call the function at `address`; null: none.
  std::function<bool(uint64_t address)> allow_host_call;
  /// A type of C++ as people write it, for its mangled name, which may be
  /// anything; "" for what is no type. Null: none are known. Called by one
  /// thread at a time.
  std::function<std::string(const std::string &mangled)> type_name;
  /// Told to device code: transfers of this many bytes or more are faster with
  /// BULK_* than with packets.
  uint64_t bulk_threshold = 1024;
  /// The process's signals, for a program with handlers. Null: none reach it.
  std::shared_ptr<SignalSource> signals;
  /// RPC_FEATURE_* withheld from the program.
  uint32_t disabled_features = 0;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_OPTIONS_H
