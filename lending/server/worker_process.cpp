//===-- lending/server/worker_process.cpp - A worker, from outside --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/worker_process.h"
#include "support/child_process.h"
#include "support/failure.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec::serve {

/// Starts a process that has WORKER_SOCKET and the standard streams and no
/// other descriptors; returns its number, or -1 with errno.
/// `environment`: its variables.
static pid_t fork_worker(int socket, char *const *environment) {
  const ChildDescriptor places[] = {{-1, STDIN_FILENO},
                                    {-1, STDOUT_FILENO},
                                    {STDERR_FILENO, STDERR_FILENO},
                                    {socket, WORKER_SOCKET}};
  const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  ChildSettings settings;
  settings.descriptors = places;
  settings.signal_at_parents_end = SIGKILL;
  settings.default_signals = defaults;
  const pid_t child = fork_child(settings);
  if (child == 0) {
    char name[] = "gpuexec", command[] = "serve", work[] = "--work";
    char *arguments[] = {name, command, work, nullptr};
    ::execve("/proc/self/exe", arguments, environment);
    ::_exit(CHILD_FAILED);
  }
  return child;
}

llvm::Expected<std::unique_ptr<WorkerProcess>>
WorkerProcess::start(std::shared_ptr<Mps> service) {
  int ends[2];
  auto cannot = [] {
    return failure(Reason::failed, "cannot start a worker: {0}",
                   std::strerror(errno));
  };
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return cannot();
  UniqueFd ours(ends[0]), theirs(ends[1]);
  std::optional<Environment> own;
  if (service)
    own.emplace(service->environment());
  const pid_t process =
      fork_worker(theirs.get(), own ? own->pointers.data() : environ);
  if (process < 0)
    return cannot();
  UniqueFd handle(int(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle) {
    llvm::Error error = cannot();
    ::kill(process, SIGKILL); // not reaped: the number is still its own
    return std::move(error);
  }
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(
      std::move(service), process, std::move(handle), std::move(ours)));
}

void WorkerProcess::send_kill() {
  ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
}

WorkerProcess::~WorkerProcess() { send_kill(); }

void reap_workers() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0)
    ;
}

bool WorkerProcess::lend(UniqueFd &connection, pid_t process, pid_t session,
                         const std::string &far, bool cuda) {
  if (!channel.send(wire::LendTo{!far.empty(), cuda}, {connection.get()}))
    return false;
  client_address = far;
  state = State::lent;
  since = Clock::now();
  client = std::move(connection);
  client_has_gone = false;
  client_process = process;
  client_session = session;
  return true;
}

void WorkerProcess::kill(llvm::StringRef why) {
  if (service && state == State::lent && !service->end(process))
    service->will_kill();
  send_kill();
  if (client && !why.empty())
    wire::Channel(client.get()).send(wire::Refused{why.str(), /*again=*/false});
}

void WorkerProcess::take_back(llvm::StringRef why) {
  if (service)
    service->will_kill();
  send_kill();
  if (client)
    wire::Channel(client.get()).send(wire::Refused{why.str(), /*again=*/true});
}

} // namespace gpuexec::serve
