//===-- lending/transport/socket.cpp - Where a server is found ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/transport/socket.h"
#include "support/trusted_path.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>

namespace gpuexec::lending {

static bool is_our_folder(const std::string &path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == ::geteuid();
}

std::string default_socket() {
  const std::string user = std::to_string(::geteuid());
  if (const char *folder = std::getenv("XDG_RUNTIME_DIR");
      folder && *folder == '/')
    return std::string(folder) + "/gpuexec/serve";
  if (is_our_folder("/run/user/" + user))
    return "/run/user/" + user + "/gpuexec/serve";
  return "/tmp/gpuexec-" + user + "/serve";
}

bool fill_address(const std::string &path, sockaddr_un &address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return true;
}

PeerIdentity identity_of(int socket) {
  ucred who{};
  socklen_t size = sizeof(who);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0)
    return {};
  return {who.pid, who.uid};
}

/// How long the queue of a server may be full.
static constexpr std::chrono::seconds QUEUE_TIMEOUT(5);

/// Without waiting for a server that does not accept connections: 0 or errno.
static int connect_in_time(int socket, const sockaddr_un &address) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + QUEUE_TIMEOUT;
  while (::connect(socket, reinterpret_cast<const sockaddr *>(&address),
                   sizeof(address)) != 0) {
    // A full queue; poll() does not tell when it has room again.
    if (errno != EAGAIN || Clock::now() > end)
      return errno;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return 0;
}

UniqueFd connect_to(const std::string &path, std::string &problem) {
  sockaddr_un address;
  UniqueFd socket;
  problem = distrust(path);
  if (!problem.empty() && errno == ENOENT)
    problem = std::strerror(ENOENT);
  if (!problem.empty())
    return UniqueFd();
  if (fill_address(path, address))
    socket = UniqueFd(
        ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int error = socket ? connect_in_time(socket.get(), address) : errno;
  const uid_t user = identity_of(socket.get()).user;
  if (error)
    problem = error == EAGAIN ? "it accepts no connections, and its queue is "
                                "full"
                              : std::strerror(error);
  else if (user != ::geteuid() && user != 0)
    problem = "it belongs to another user";
  if (!problem.empty())
    return UniqueFd();
  ::fcntl(socket.get(), F_SETFL, 0); // who has it may wait
  return socket;
}

} // namespace gpuexec::lending
