//===-- rpc/server/trace.h - Events in Chrome's JSON format -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file for chrome://tracing and Perfetto: complete events ("ph":"X") with
// microseconds since the trace was opened. Threads call it at any time; events
// are formatted by the caller and appended whole. Used by the server for
// requests and by the loader for phases and kernels.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_TRACE_H
#define GPUEXEC_RPC_SERVER_TRACE_H

#include "support/descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <cstdint>
#include <memory>

namespace gpuexec::rpc {

class Trace {
public:
  using Clock = std::chrono::steady_clock;

  /// Writes to an empty file that is open. `name`: what messages call it.
  static std::unique_ptr<Trace> begin(UniqueFd file, llvm::StringRef name);
  /// Creates `path`, replacing what is there.
  static llvm::Expected<std::unique_ptr<Trace>> create(llvm::StringRef path);
  /// Completes the file. Errors while writing are lost: use close() to see
  /// them.
  ~Trace();
  /// Completes the file and says whether all of it could be written.
  llvm::Error close();

  /// One event from `begin` to `end` on row `track` of `category`. `args` is
  /// empty or the inside of a JSON object: "\"lanes\":64".
  void event(llvm::StringRef category, llvm::StringRef name, uint64_t track,
             Clock::time_point begin, Clock::time_point end,
             llvm::StringRef args = "");
  /// Gives a row its name.
  void name_track(uint64_t track, llvm::StringRef name);
  /// A string of JSON, with its quotes.
  static std::string quote(llvm::StringRef text);

private:
  struct Impl;
  explicit Trace(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_TRACE_H
