//===-- lending/server/worker_process.cpp - A worker, from outside --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/worker_process.h"
#include "support/failure.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec::serve {

/// In the new process: has WORKER_SOCKET and the standard streams, nothing
/// else.
[[noreturn]] static void become_worker(int socket, pid_t server) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    ::signal(signal, SIG_DFL);
  // The standard streams first: this may have the number of WORKER_SOCKET.
  const int null = ::open("/dev/null", O_RDWR);
  if (::getppid() != server || ::dup2(null, STDIN_FILENO) < 0 ||
      ::dup2(null, STDOUT_FILENO) < 0 ||
      (socket == WORKER_SOCKET ? ::fcntl(socket, F_SETFD, 0)
                               : ::dup2(socket, WORKER_SOCKET)) < 0)
    ::_exit(125);
  ::syscall(SYS_close_range, WORKER_SOCKET + 1, ~0u, 0);
  char name[] = "gpuexec", command[] = "serve", work[] = "--work";
  char *arguments[] = {name, command, work, nullptr};
  ::execv("/proc/self/exe", arguments);
  ::_exit(125);
}

llvm::Expected<std::unique_ptr<WorkerProcess>> WorkerProcess::start() {
  int ends[2];
  auto cannot = [] {
    return failure(Reason::failed, "cannot start a worker: {0}",
                   std::strerror(errno));
  };
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return cannot();
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const pid_t server = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    return cannot();
  if (process == 0)
    become_worker(theirs.get(), server);
  UniqueFd handle(int(::syscall(SYS_pidfd_open, process, 0)));
  if (!handle) {
    llvm::Error error = cannot();
    ::kill(process, SIGKILL); // nobody else can have the number yet
    return std::move(error);
  }
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(process, std::move(handle), std::move(ours)));
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
                         const std::string &far) {
  if (!channel.send(wire::LendTo{!far.empty()}, {connection.get()}))
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
  send_kill();
  if (client && !why.empty())
    wire::Channel(client.get()).send(wire::Refused{why.str()});
}

} // namespace gpuexec::serve
