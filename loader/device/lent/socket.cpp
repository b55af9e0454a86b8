//===-- loader/device/lent/socket.cpp - Where a server is found -----------===//
#include "loader/device/lent/socket.h"
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>

namespace gpuexec::lent {

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

UniqueFd connect_to(const std::string &path) {
  sockaddr_un address;
  if (!fill_address(path, address))
    return UniqueFd();
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket && ::connect(socket.get(), reinterpret_cast<sockaddr *>(&address),
                          sizeof(address)) != 0) {
    const int error = errno;
    socket = UniqueFd();
    errno = error;
  }
  return socket;
}

PeerIdentity identity_of(int socket) {
  ucred who{};
  socklen_t size = sizeof(who);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0)
    return {};
  return {who.pid, who.uid};
}

} // namespace gpuexec::lent
