//===-- lending/isolated/process.h - The isolated process -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the process that runs the machine code, from the side of the one that
// stays. A thread forks it and then keeps it: that thread prints what the
// process writes to its standard error, and takes its status. The kernel kills
// the process when the thread that made it ends (PR_SET_PDEATHSIG), and that
// thread ends only with the process or with all of gpuexec.
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

using remote::Answer;
using remote::Channel;
using remote::Request;

/// What has become of a process.
struct Life {
  std::mutex mutex; // guards what follows
  std::condition_variable changed;
  bool started = false;
  bool ended = false;  ///< its status was taken
  bool killed = false; ///< Process::kill() was called: no status may follow
  pid_t id = 0;
  UniqueFd process_fd; ///< readable when it has ended
  int error = 0;       ///< errno, when it could not be started
  int wait_status = 0; ///< as waitpid() gives it
  /// What the thread that keeps the process is to do besides.
  std::function<llvm::Error()> errand;
  std::string errand_failure;
};

class Process final : public remote::Link {
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

  llvm::Expected<Answer>
  ask(Request request, llvm::StringRef body,
      std::optional<std::chrono::milliseconds> limit = std::nullopt) override;
  llvm::Expected<Answer> ask_launch(llvm::StringRef body) override;
  /// Asks for something that has no reply.
  void tell(Request request);
  void kill() override;
  const char *name() const override { return "the emulator's process"; }
  /// Has the thread that keeps the process do something, and waits for it.
  llvm::Error on_keeper(llvm::function_ref<llvm::Error()> work);

private:
  struct Plumbing;
  explicit Process(std::shared_ptr<Plumbing> plumbing);
  llvm::Error how_it_ended();
  llvm::Expected<Answer> reply_of(std::optional<remote::Message> message);

  const std::shared_ptr<Plumbing> plumbing;
  const std::shared_ptr<Life> life = std::make_shared<Life>();
  Thread keeper;
  std::timed_mutex control_mutex; // guards `control`
  Channel control, launches;
};

} // namespace gpuexec::isolated

#endif
