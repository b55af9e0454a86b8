//===-- lending/transport/relay_process.cpp - Starts a relay --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/transport/relay_process.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace gpuexec::lending {

llvm::Expected<std::string> relay_program() {
  char self[4096];
  const ssize_t size = ::readlink("/proc/self/exe", self, sizeof(self));
  llvm::StringRef folder(self, size_t(std::max<ssize_t>(size, 0)));
  folder = folder.rsplit('/').first;
  const std::string path = (folder + "/../lib/gpuexec/gpuexec-relay").str();
  if (::access(path.c_str(), X_OK) != 0)
    return failure(Reason::failed,
                   "no {0}: gpuexec was built without OpenSSL (libssl-dev), "
                   "and other machines are reached with TLS only",
                   path);
  if (std::string problem = distrust(path); !problem.empty())
    return failure(Reason::failed, "{0}", problem);
  return path;
}

namespace {

llvm::Error cannot_start() {
  return failure(Reason::failed, "cannot start a relay: {0}",
                 std::strerror(errno));
}

/// What fork() needs, made before it: the child of a process with threads may
/// do next to nothing.
struct Start {
  std::string program;
  UniqueFd ours, theirs;
  UniqueFd secret;
  int network = -1;

  llvm::Error prepare(const Credentials &credentials) {
    llvm::Expected<std::string> found = relay_program();
    if (!found)
      return found.takeError();
    program = *found;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return cannot_start();
    ours = UniqueFd(ends[0]);
    theirs = UniqueFd(ends[1]);
    wire::Writer bytes;
    put(bytes, credentials);
    secret = UniqueFd(::memfd_create("gpuexec-credentials", MFD_CLOEXEC));
    if (!secret || write_all(secret.get(), bytes.bytes()) != 0)
      return cannot_start();
    return llvm::Error::success();
  }

  /// In the new process.
  [[noreturn]] void execute(const char *role, const char *address) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
      ::signal(signal, SIG_DFL);
    ::signal(SIGQUIT, SIG_IGN); // asks where the program is, which goes on
    // Above all numbers that they are to have.
    constexpr int ABOVE = NETWORK_SOCKET + 1;
    const int local = ::fcntl(theirs.get(), F_DUPFD, ABOVE),
              credentials = ::fcntl(secret.get(), F_DUPFD, ABOVE),
              remote = network < 0 ? ::open("/dev/null", O_RDWR)
                                   : ::fcntl(network, F_DUPFD, ABOVE),
              null = ::open("/dev/null", O_RDWR);
    if (::dup2(local, LOCAL_SOCKET) < 0 ||
        ::dup2(credentials, CREDENTIALS) < 0 ||
        ::dup2(remote, NETWORK_SOCKET) < 0)
      ::_exit(125);
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(null, stream);
    ::syscall(SYS_close_range, ABOVE, ~0u, 0);
    char name[] = "gpuexec-relay";
    char *arguments[] = {name, const_cast<char *>(role),
                         const_cast<char *>(address), nullptr};
    char *nothing[] = {nullptr};
    ::execve(program.c_str(), arguments, nothing);
    ::_exit(125);
  }
};

} // namespace

llvm::Expected<UniqueFd> start_client_relay(const std::string &address,
                                            const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return std::move(error);
  // Out of the terminal's reach, and no child that the program could wait for.
  const pid_t process = ::fork();
  if (process < 0)
    return cannot_start();
  if (process == 0) {
    ::setsid();
    if (::fork() != 0)
      ::_exit(0);
    start.execute("client", address.c_str());
  }
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR)
    ;
  return std::move(start.ours);
}

llvm::Expected<ServerRelay> start_server_relay(UniqueFd network,
                                               const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return std::move(error);
  start.network = network.get();
  const pid_t server = ::getpid(), process = ::fork();
  if (process < 0)
    return cannot_start();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != server)
      ::_exit(125);
    ::setsid();
    start.execute("server", "");
  }
  return ServerRelay{process, std::move(start.ours)};
}

llvm::Error check_credentials(const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return error;
  const pid_t process = ::fork();
  if (process < 0)
    return cannot_start();
  if (process == 0)
    start.execute("check", "");
  start.theirs.close();
  std::string why;
  char some[512];
  for (ssize_t got; (got = ::read(start.ours.get(), some, sizeof(some))) != 0;)
    if (got > 0)
      why.append(some, size_t(got));
    else if (errno != EINTR)
      break;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  constexpr int NO_LIBRARY = 127; // of the dynamic linker
  if (why.empty() && WIFEXITED(status) && WEXITSTATUS(status) == NO_LIBRARY)
    why = start.program + " cannot start: it needs OpenSSL 3 (libssl.so.3) of "
                          "this machine";
  else if (why.empty() && status != 0)
    why = "the relay has ended";
  return why.empty() ? llvm::Error::success()
                     : failure(Reason::failed, "{0}", why);
}

} // namespace gpuexec::lending
