//===-- lending/isolated/process.h - The isolated process -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the child process that runs the machine code, and watches it. A
// monitor thread forks the child, prints what the child writes to its standard
// error, and takes its exit status. The kernel kills the child when the thread
// that forked it ends (PR_SET_PDEATHSIG); the monitor thread ends only with the
// child, in kill(), or with all of gpuexec.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_ISOLATED_PROCESS_H
#define GPUEXEC_LENDING_ISOLATED_PROCESS_H

#include "lending/wire/link.h"
#include "support/thread.h"
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <sys/types.h>

namespace gpuexec::isolated {

using wire::Answer;
using wire::Channel;

/// The state of the child process, shared by the monitor thread and the others.
struct ChildState {
  std::mutex mutex; // guards what follows
  std::condition_variable changed;
  bool started = false;
  bool ended = false;  ///< its status was taken
  bool killed = false; ///< Process::kill() was called: no status may follow
  pid_t id = 0;
  UniqueFd process_fd; ///< readable when it has ended
  int error = 0;       ///< errno, when it could not be started
  int wait_status = 0; ///< as waitpid() gives it
  /// What the monitor thread is to do, once; on_monitor() waits for it.
  std::function<llvm::Error()> task;
  std::string task_failure;
};

class Process final : public wire::Link {
public:
  /// Runs `work` in a copy of this process that has only this thread, no
  /// descriptors but the two channels' ends, a pipe as its standard error, and
  /// no environment but the emulator's own variables. It ends with `work`.
  /// Fails, as Failure, when there are no processes, threads or descriptors
  /// left.
  static llvm::Expected<std::unique_ptr<Process>>
  start(std::function<void(Channel control, Channel launches)> work);
  /// Kills it, if it is still there, and waits for its end.
  ~Process() override;
  Process(const Process &) = delete;

  void kill() override;
  const char *name() const override { return "the emulator's process"; }
  /// Has the monitor thread do something, and waits for it.
  llvm::Error on_monitor(llvm::function_ref<llvm::Error()> work);

private:
  llvm::Expected<Answer> exchange(uint32_t kind, llvm::StringRef body,
                                  Limit limit) override;
  llvm::Expected<Answer> exchange_launch(llvm::StringRef body) override;
  void notify_bytes(uint32_t kind, llvm::StringRef body) override;
  struct Pipes;
  explicit Process(std::shared_ptr<Pipes> pipes);
  llvm::Error how_it_ended();
  llvm::Expected<Answer> answer_of(std::optional<wire::Message> message);

  const std::shared_ptr<Pipes> pipes;
  const std::shared_ptr<ChildState> state = std::make_shared<ChildState>();
  Thread monitor;
  std::timed_mutex control_mutex; // guards `control`
  Channel control, launches;
};

} // namespace gpuexec::isolated

#endif
