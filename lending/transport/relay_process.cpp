//===-- lending/transport/relay_process.cpp - Starts a relay --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/transport/relay_process.h"
#include "support/child_process.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

/// A relay that is to be started.
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

  /// Starts the relay: its number, or -1 with errno.
  pid_t start(const char *role, const char *address, ChildSettings settings) {
    const ChildDescriptor places[] = {
        {-1, STDIN_FILENO},          {-1, STDOUT_FILENO},
        {-1, STDERR_FILENO},         {theirs.get(), LOCAL_SOCKET},
        {secret.get(), CREDENTIALS}, {network, NETWORK_SOCKET}};
    const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    const int ignored[] = {SIGQUIT}; // asks where the program is, which goes on
    settings.descriptors = places;
    settings.default_signals = defaults;
    settings.ignored_signals = ignored;
    const pid_t child = fork_child(settings);
    if (child == 0) {
      char name[] = "gpuexec-relay";
      char *arguments[] = {name, const_cast<char *>(role),
                           const_cast<char *>(address), nullptr};
      char *nothing[] = {nullptr};
      ::execve(program.c_str(), arguments, nothing);
      ::_exit(CHILD_FAILED);
    }
    return child;
  }
};

void wait_for(pid_t process, int &status) {
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
}

} // namespace

llvm::Expected<UniqueFd> start_client_relay(const std::string &address,
                                            const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return std::move(error);
  // Out of the terminal's reach, and no child that the program could wait for:
  // a process in between starts it and exits.
  ChildSettings between;
  between.closes_others = false;
  between.leaves_session = true;
  const pid_t process = fork_child(between);
  if (process < 0)
    return cannot_start();
  if (process == 0)
    ::_exit(start.start("client", address.c_str(), {}) < 0);
  int status = 0;
  wait_for(process, status);
  if (status != 0)
    return failure(Reason::failed, "cannot start a relay");
  return std::move(start.ours);
}

llvm::Expected<ServerRelay> start_server_relay(UniqueFd network,
                                               const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return std::move(error);
  start.network = network.get();
  ChildSettings settings;
  settings.signal_at_parents_end = SIGKILL;
  settings.leaves_session = true;
  const pid_t process = start.start("server", "", settings);
  if (process < 0)
    return cannot_start();
  return ServerRelay{process, std::move(start.ours)};
}

llvm::Error check_credentials(const Credentials &credentials) {
  Start start;
  if (llvm::Error error = start.prepare(credentials))
    return error;
  const pid_t process = start.start("check", "", {});
  if (process < 0)
    return cannot_start();
  start.theirs.close();
  std::string why;
  char some[512];
  for (ssize_t got; (got = ::read(start.ours.get(), some, sizeof(some))) != 0;)
    if (got > 0)
      why.append(some, size_t(got));
    else if (errno != EINTR)
      break;
  int status = 0;
  wait_for(process, status);
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
