//===-- lending/server/listener.cpp - The server's socket -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/listener.h"
#include "lending/transport/socket.h"
#include "support/failure.h"
#include "support/own_file.h"
#include "support/trusted_path.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <cstring>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace gpuexec::serve {

static llvm::Error cannot_listen(const std::string &path,
                                 const char *why = nullptr) {
  return failure(Reason::failed, "cannot listen at {0}: {1}", path,
                 why ? why : std::strerror(errno));
}

/// The socket that systemd has opened for this process, or none.
static UniqueFd socket_of_systemd() {
  constexpr int FIRST = 3;
  const char *process = std::getenv("LISTEN_PID"),
             *count = std::getenv("LISTEN_FDS");
  pid_t id = 0;
  if (!process || !count ||
      !llvm::to_integer(llvm::StringRef(process), id, 10) || id != ::getpid() ||
      llvm::StringRef(count) != "1")
    return UniqueFd();
  ::unsetenv("LISTEN_PID");
  ::unsetenv("LISTEN_FDS");
  // Moves the socket from descriptor 3, which is WORKER_SOCKET in workers.
  UniqueFd socket(::fcntl(FIRST, F_DUPFD_CLOEXEC, FIRST + 1));
  ::close(FIRST);
  return socket;
}

static std::string path_of(int socket) {
  sockaddr_un address{};
  socklen_t size = sizeof(address) - 1; // so that the path ends with a zero
  if (::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
    return "the socket that was given";
  return address.sun_path;
}

/// Makes the socket's folder, for this user alone. Fails when another user
/// could put another folder, or another socket, in its place.
static llvm::Error make_folder(const std::string &path) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (folder.empty())
    folder = ".";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return cannot_listen(path);
  if (std::string problem = distrust(folder); !problem.empty())
    return cannot_listen(path, problem.c_str());
  return llvm::Error::success();
}

llvm::Expected<Listener> Listener::open(const std::string &path) {
  if (UniqueFd given = socket_of_systemd()) {
    ::fcntl(given.get(), F_SETFL, O_NONBLOCK);
    std::string address = path_of(given.get());
    return Listener(std::move(given), UniqueFd(), std::move(address));
  }
  sockaddr_un address;
  if (!lending::fill_address(path, address))
    return cannot_listen(path);
  if (llvm::Error error = make_folder(path))
    return std::move(error);
  const std::string lock_name = path + ".lock";
  std::string problem;
  UniqueFd lock = open_own_file(AT_FDCWD, lock_name, O_RDWR | O_CREAT, problem);
  if (!lock)
    return cannot_listen(path, (lock_name + problem).c_str());
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK
               ? cannot_listen(path, "a server listens there already")
               : cannot_listen(path);
  // This process has the lock: a socket that is there was left behind by a
  // server that was killed.
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0 && !S_ISSOCK(facts.st_mode))
    return cannot_listen(path, "it is a file of another kind");
  ::unlink(path.c_str());
  UniqueFd socket(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const mode_t before = ::umask(0177);
  const bool bound =
      socket && ::bind(socket.get(), reinterpret_cast<sockaddr *>(&address),
                       sizeof(address)) == 0;
  const int error = errno;
  ::umask(before);
  errno = error;
  if (!bound || ::listen(socket.get(), SOMAXCONN) != 0)
    return cannot_listen(path);
  return Listener(std::move(socket), std::move(lock), path);
}

void Listener::close() {
  socket.close();
  if (lock)
    ::unlink(address.c_str());
  lock.close();
}

} // namespace gpuexec::serve
