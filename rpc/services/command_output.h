//===-- rpc/services/command_output.h - What commands print -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a run is recorded, commands that the program starts print into pipes
// instead of the program's standard output and standard error. A thread writes
// on what comes out of those, and tells the journal. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_COMMAND_OUTPUT_H
#define GPUEXEC_RPC_SERVICES_COMMAND_OUTPUT_H

#include "rpc/server/poller.h"
#include "rpc/server/task.h"
#include "rpc/services/stream.h"
#include "support/descriptor.h"
#include "support/thread.h"
#include <poll.h>

namespace gpuexec::rpc {

class Port;

/// One of the two streams.
class CommandRelay {
public:
  CommandRelay(FileObserver observer, int to) : to(to, false) {
    this->to.observe(observer);
  }
  bool make_pipe();
  int descriptor() const { return pipe.write.get(); }
  /// What the thread waits for.
  pollfd next_wait();
  /// Writes on up to `most` bytes, which counts down; false: the reader must be
  /// waited for.
  bool write_on(uint64_t &most);
  /// Bytes that commands have printed and nobody has written on.
  uint64_t waiting();
  int target() const { return to.descriptor(); }

private:
  bool fill(uint64_t most);
  std::mutex mutex;
  HostFile to;
  Pipe pipe;
  std::string pending; // out of the pipe, not yet written
};

class CommandOutput {
public:
  /// Without a journal that records, commands print by themselves.
  CommandOutput(Journal *journal, int output, int error);
  ~CommandOutput();
  /// What a command gets for the program's stream 1 or 2.
  int descriptor(int stream);
  /// Writes on what commands have printed until now.
  Task<> write_on(Port &port);
  void write_on_now(Poller::Clock::time_point deadline);

private:
  bool begin(); // under the mutex
  void run();
  const bool is_recorded;
  CommandRelay relays[2];
  std::mutex mutex;
  std::atomic<bool> begun = false;
  Pipe stop; // closed: the thread ends
  Thread thread;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_COMMAND_OUTPUT_H
