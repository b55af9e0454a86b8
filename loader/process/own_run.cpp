//===-- loader/process/own_run.cpp - gpuexec starts gpuexec ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/own_run.h"
#include "loader/process/exit_result.h"
#include "support/child_process.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec {

/// How much of a run's output is kept: the end says why it failed.
static constexpr size_t KEPT_OUTPUT = 64 * 1024;

bool Tee::copy() {
  char buffer[16384];
  ssize_t got = ::read(from.get(), buffer, sizeof(buffer));
  if (got < 0)
    return errno == EINTR;
  if (got == 0) {
    from.close();
    return false;
  }
  // A failed write to our stream is ignored: the output is still kept.
  if (to >= 0)
    write_all(to, {buffer, size_t(got)});
  kept->append(buffer, size_t(got));
  if (kept->size() > 2 * KEPT_OUTPUT)
    kept->erase(0, kept->size() - KEPT_OUTPUT);
  return true;
}

OwnRun start_own_run(const std::vector<const char *> &arguments,
                     OwnOutput output, std::string &out_text,
                     std::string &error_text, const std::vector<int> &passed) {
  OwnRun run;
  const bool collect = output != OwnOutput::shown;
  Pipe out, error;
  if (collect && (!out.make() || !error.make())) {
    run.failure = errno;
    return run;
  }
  std::vector<ChildDescriptor> places;
  if (collect)
    places = {{out.write.get(), STDOUT_FILENO},
              {error.write.get(), STDERR_FILENO}};
  ChildSettings settings;
  settings.descriptors = places;
  settings.closes_others = false;
  settings.unblocks_signals = false;
  settings.signal_at_parents_end = SIGTERM; // no run outlives us
  run.process = fork_child(settings);
  if (run.process == 0) {
    for (int fd : passed)
      ::fcntl(fd, F_SETFD, 0);
    ::execv("/proc/self/exe", const_cast<char *const *>(arguments.data()));
    ::_exit(status::Failed);
  }
  if (run.process < 0)
    run.failure = errno;
  if (collect) {
    for (Pipe *pipe : {&out, &error})
      ::fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
    const bool show = output == OwnOutput::collected;
    run.out = {std::move(out.read), show ? STDOUT_FILENO : -1, &out_text};
    run.error = {std::move(error.read), show ? STDERR_FILENO : -1, &error_text};
  }
  return run;
}

static int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? status::signalled(WTERMSIG(wait_status))
                                  : WEXITSTATUS(wait_status);
}

int finish_own_run(OwnRun &run, int signal_fd, int &signal) {
  UniqueFd process_fd(int(::syscall(SYS_pidfd_open, run.process, 0)));
  for (bool ended = !process_fd; !ended;) {
    pollfd watched[] = {{run.out.from.get(), POLLIN, 0},
                        {run.error.from.get(), POLLIN, 0},
                        {signal ? -1 : signal_fd, POLLIN, 0},
                        {process_fd.get(), POLLIN, 0}};
    if (::poll(watched, 4, -1) <= 0)
      continue;
    if (watched[0].revents)
      run.out.copy();
    if (watched[1].revents)
      run.error.copy();
    if (int number;
        watched[2].revents &&
        ::read(signal_fd, &number, sizeof(number)) == sizeof(number)) {
      ::kill(run.process, number);
      if (number != SIGQUIT) // which asks where the program is
        signal = number;
    }
    ended = watched[3].revents != 0;
  }
  // Copies what is left in the pipes without waiting for their end: a process
  // that the program has left behind may keep them open.
  for (Tee *tee : {&run.out, &run.error})
    while (tee->from && tee->copy())
      ;
  int wait_status = 0;
  while (::waitpid(run.process, &wait_status, 0) < 0)
    if (errno != EINTR)
      return status::Failed;
  return status_of(wait_status);
}

} // namespace gpuexec
