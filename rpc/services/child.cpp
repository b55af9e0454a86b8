//===-- rpc/services/child.cpp - A command that the program started -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/child.h"
#include "rpc/services/services.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::UniqueFd;

// How long start_child() tries while the system has no more processes.
static constexpr std::chrono::seconds OTHERS_TIMEOUT(10);

std::unique_ptr<Child> Child::start(const Request &request, int &error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // First copy all sources to numbers above all targets, because a target may
  // have the number of a source.
  std::vector<UniqueFd> copies;
  int above = 3;
  for (const auto &[number, fd] : request.descriptors)
    above = std::max(above, number + 1);
  error = 0;
  for (const auto &[number, fd] : request.descriptors) {
    UniqueFd copy(fcntl(fd, F_DUPFD_CLOEXEC, above));
    if (!copy && errno != EBADF)
      error = errno;
    if (!copy)
      continue;
    posix_spawn_file_actions_adddup2(&actions, copy.get(), number);
    copies.push_back(std::move(copy));
  }
  if (request.directory >= 0)
    posix_spawn_file_actions_addfchdir_np(&actions, request.directory);
  // Server threads block signals and embedders may ignore some; a command
  // starts as from a shell.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigemptyset(&all);
  for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
    sigaddset(&all, signal);
  posix_spawnattr_setsigmask(&attributes, &request.mask);
  posix_spawnattr_setsigdefault(&attributes, &all);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (request.group) {
    posix_spawnattr_setpgroup(&attributes, *request.group);
    flags |= POSIX_SPAWN_SETPGROUP;
  }
  posix_spawnattr_setflags(&attributes, short(flags));
  pid_t pid = -1;
  auto *spawn = request.search ? posix_spawnp : posix_spawn;
  if (!error)
    error = spawn(&pid, request.file, &actions, &attributes, request.arguments,
                  request.environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error)
    return nullptr;
  int pidfd = int(syscall(SYS_pidfd_open, pid, 0));
  std::unique_ptr<Child> child(new Child(pid, pidfd));
  if (pidfd < 0) {
    error = errno;
    return nullptr; // the destructor kills the child
  }
  return child;
}

std::unique_ptr<Child> Child::start(const std::string &command,
                                    const std::array<int, 3> &fds,
                                    int directory, int &error) {
  char shell[] = "sh", dash_c[] = "-c";
  char *arguments[] = {shell, dash_c, const_cast<char *>(command.c_str()),
                       nullptr};
  return start({.file = "/bin/sh",
                .arguments = arguments,
                .environment = environ,
                .descriptors = {{0, fds[0]}, {1, fds[1]}, {2, fds[2]}},
                .directory = directory},
               error);
}

Task<std::unique_ptr<Child>>
gpuexec::rpc::start_child(Services &services, Port &port, std::string command,
                          std::array<int, 3> fds, int &error) {
  const auto end = Poller::Clock::now() + OTHERS_TIMEOUT;
  for (;;) {
    std::unique_ptr<Child> child = Child::start(
        command, fds, services.files.working_directory_fd(), error);
    if (child || error != EAGAIN || Poller::Clock::now() > end)
      co_return child;
    co_await port.sleep(std::chrono::milliseconds(10));
  }
}

Child::~Child() {
  if (status == -1 && pid > 0) {
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
  }
}

int Child::send_signal(int number) {
  if (status != -1) // it has ended; another process may have its number
    return ESRCH;
  return syscall(SYS_pidfd_send_signal, pidfd.get(), number, nullptr, 0) ? errno
                                                                         : 0;
}

int Child::take_status() {
  if (status != -1)
    return status;
  int found = 0;
  pid_t done = waitpid(pid, &found, WNOHANG);
  if (done == pid)
    status = found;
  else if (done < 0 && errno == ECHILD)
    status = 0; // the embedder ignores SIGCHLD, so the status is lost
  return status;
}
