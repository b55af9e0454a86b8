//===-- loader/ensemble/instance_process.cpp - See instance_process.h -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/instance_process.h"
#include "loader/command_line/standard_streams.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace gpuexec::ensemble {
namespace {

/// Signals wait while this exists: between fork() and its own preparations the
/// child must not take one for its parent.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
  }
  ~BlockedSignals() { ::sigprocmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

void close_between(int first, int last) {
  if (first <= last)
    ::syscall(SYS_close_range, unsigned(first), unsigned(last), 0);
}

/// Closes all files but the standard streams and those of `kept`, which are in
/// order.
void close_others(llvm::ArrayRef<int> kept) {
  int next = STDERR_FILENO + 1;
  for (int file : kept) {
    close_between(next, file - 1);
    next = std::max(next, file + 1);
  }
  close_between(next, INT32_MAX);
}

/// Of the child.
bool prepare(pid_t parent, int input, int output, int errors,
             llvm::ArrayRef<int> kept) {
  ::setpgid(0, 0);
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent)
    return false;
  for (const auto &[here, there] :
       {std::pair(input, STDIN_FILENO), std::pair(output, STDOUT_FILENO),
        std::pair(errors, STDERR_FILENO)})
    if (::dup2(here, there) != there)
      return false;
  close_others(kept);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    if (struct sigaction action{}; ::sigaction(number, nullptr, &action) == 0 &&
                                   action.sa_handler != SIG_IGN)
      ::signal(number, SIG_DFL); // until the run has its own
  return true;
}

[[noreturn]] void end(const ExitResult &result) {
  int status = result.status;
  if (!finish_standard_streams("gpuexec") && !status)
    status = status::Failed;
  if (result.signal) {
    ::signal(result.signal, SIG_DFL);
    ::raise(result.signal);
  }
  ::_exit(status);
}

} // namespace

llvm::Expected<InstanceProcess>
InstanceProcess::start(int input, int output, int errors, std::vector<int> kept,
                       const std::function<ExitResult()> &work) {
  llvm::outs().flush();
  llvm::sort(kept);
  const pid_t parent = ::getpid();
  pid_t process;
  {
    BlockedSignals blocked;
    process = ::fork();
    if (process == 0 && !prepare(parent, input, output, errors, kept))
      ::_exit(status::Failed);
  }
  if (process == 0)
    end(work());
  if (process < 0)
    return failure(Reason::failed, "cannot start an instance: {0}",
                   std::strerror(errno));
  ::setpgid(process, process); // whoever is first
  UniqueFd handle(int(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle) {
    const int error = errno;
    ::kill(-process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    return failure(Reason::failed, "cannot watch an instance: {0}",
                   std::strerror(error));
  }
  return InstanceProcess(process, std::move(handle));
}

InstanceProcess::InstanceProcess(InstanceProcess &&other) noexcept
    : process(std::exchange(other.process, -1)),
      handle(std::move(other.handle)) {}

InstanceProcess::~InstanceProcess() {
  if (process < 0)
    return;
  signal(SIGKILL);
  wait();
}

void InstanceProcess::signal(int number) const { ::kill(-process, number); }

int InstanceProcess::wait() {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  process = -1;
  return status;
}

} // namespace gpuexec::ensemble
