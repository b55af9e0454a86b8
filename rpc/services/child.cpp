//===-- rpc/services/child.cpp - A command that the program started -------===//
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

// How long a command waits for the end of others.
static constexpr std::chrono::seconds PATIENCE(10);

std::unique_ptr<Child> Child::start(const std::string &command,
                                    const std::array<int, 3> &fds,
                                    int directory, int &error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Copies above 2 first: the sources may overlap the targets.
  int copies[3] = {-1, -1, -1};
  error = 0;
  for (int i = 0; i < 3; ++i) {
    copies[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 3);
    if (copies[i] < 0 && errno != EBADF)
      error = errno;
    if (copies[i] >= 0)
      posix_spawn_file_actions_adddup2(&actions, copies[i], i);
  }
  if (directory >= 0)
    posix_spawn_file_actions_addfchdir_np(&actions, directory);
  // Server threads block signals and embedders may ignore some; a command
  // starts as from a shell.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigemptyset(&all);
  for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
    sigaddset(&all, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char shell[] = "sh", dash_c[] = "-c";
  char *argv[] = {shell, dash_c, const_cast<char *>(command.c_str()), nullptr};
  pid_t pid = -1;
  if (!error)
    error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int copy : copies)
    if (copy >= 0)
      close(copy);
  if (error)
    return nullptr;
  int pidfd = int(syscall(SYS_pidfd_open, pid, 0));
  std::unique_ptr<Child> child(new Child(pid, pidfd));
  if (pidfd < 0) {
    error = errno;
    return nullptr; // and the child is killed
  }
  return child;
}

Task<std::unique_ptr<Child>>
gpuexec::rpc::start_child(Services &services, Port &port, std::string command,
                          std::array<int, 3> fds, int &error) {
  const auto end = Poller::Clock::now() + PATIENCE;
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

int Child::take_status() {
  if (status != -1)
    return status;
  int found = 0;
  pid_t done = waitpid(pid, &found, WNOHANG);
  if (done == pid)
    status = found;
  else if (done < 0 && errno == ECHILD)
    status = 0; // the embedder ignores SIGCHLD: it ended, how is unknown
  return status;
}
