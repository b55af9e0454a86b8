//===-- loader/ensemble/instance_process.h - Where an instance runs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each instance runs in a process of its own, which is forked from this one
// after the image has been read: it starts no executable and parses no command
// line again, and whatever happens to it does not reach the others. This
// process must have one thread.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_INSTANCE_PROCESS_H
#define GPUEXEC_LOADER_ENSEMBLE_INSTANCE_PROCESS_H

#include "loader/process/exit_result.h"
#include "support/descriptor.h"
#include <functional>
#include <sys/types.h>
#include <vector>

namespace gpuexec::ensemble {

class InstanceProcess {
public:
  /// Forks a process that calls `work` and ends as that returns. It has the
  /// standard streams `input`, `output` and `errors`, a process group of its
  /// own, and no other open files but those of `kept`. It ends with this
  /// process. Errors: Failure.
  static llvm::Expected<InstanceProcess>
  start(int input, int output, int errors, std::vector<int> kept,
        const std::function<ExitResult()> &work);
  /// Ends the process, its group with it, and waits for it if it still runs.
  ~InstanceProcess();
  InstanceProcess(InstanceProcess &&other) noexcept;
  InstanceProcess &operator=(InstanceProcess &&) = delete;

  /// Becomes readable when the process has ended.
  int descriptor() const { return handle.get(); }
  /// Sends a signal to the process and all that it has started.
  void signal(int number) const;
  /// Waits for its end. Returns its status as waitpid() has it.
  int wait();

private:
  InstanceProcess(pid_t process, UniqueFd handle)
      : process(process), handle(std::move(handle)) {}
  pid_t process; ///< -1 after wait()
  UniqueFd handle;
};

} // namespace gpuexec::ensemble

#endif
