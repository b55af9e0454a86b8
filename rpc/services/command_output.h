//===-- rpc/services/command_output.h - What commands print -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a run is recorded, commands that the program starts print into pipes
// instead of the program's standard output and standard error. A thread copies
// the pipes' bytes to these streams and reports them to the journal.
// Thread-safe.
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

/// The relay of one stream: a pipe for commands, and the stream behind it.
class CommandRelay {
public:
  CommandRelay(FileObserver observer, int to) : to(to, false) {
    this->to.observe(observer);
  }
  bool make_pipe();
  int descriptor() const { return pipe.write.get(); }
  /// The descriptor and event that the thread waits for next.
  pollfd next_wait();
  /// Copies up to `most` bytes from the pipe to the stream, and subtracts their
  /// number from `most`. False: the stream's reader must be waited for.
  bool write_on(uint64_t &most);
  /// Number of bytes that commands have printed and that are not yet copied.
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
  /// `output` and `error`: the program's standard streams. Without a journal
  /// that records, commands print there directly.
  CommandOutput(Journal *journal, int output, int error);
  ~CommandOutput();
  /// The descriptor that a command gets for the program's stream 1 or 2.
  int descriptor(int stream);
  /// Copies to the streams what commands have printed until now, waiting for
  /// their readers.
  Task<> write_on(Port &port);
  /// The same for a thread that serves no port; waits until `deadline`.
  void write_on_now(Poller::Clock::time_point deadline);

private:
  bool begin(); // the mutex is held
  void run();
  const bool is_recorded;
  CommandRelay relays[2];
  std::mutex mutex;
  std::atomic<bool> begun = false;
  Pipe stop; // the thread ends when the writing end is closed
  Thread thread;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_COMMAND_OUTPUT_H
