//===-- lending/transport/socket.h - Where a server is found ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The socket in the file system over which a server of this machine is reached,
// and who is at the other end of it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_TRANSPORT_SOCKET_H
#define GPUEXEC_LENDING_TRANSPORT_SOCKET_H

#include "support/descriptor.h"
#include <string>
#include <sys/types.h>
#include <sys/un.h>

namespace gpuexec::lending {

/// The socket of this user's server: `gpuexec/serve` in $XDG_RUNTIME_DIR, or
/// in /run/user/UID, or `gpuexec-UID/serve` in /tmp where there is neither.
std::string default_socket();

/// False, with errno, when the path is too long for a socket's.
bool fill_address(const std::string &path, sockaddr_un &address);

/// A connection to the socket of a server of this user's or of root's. None,
/// with the reason in `problem`, when nobody listens there, another user can
/// put a socket there or listens, or the server's queue stays full for 5
/// seconds.
UniqueFd connect_to(const std::string &path, std::string &problem);

/// Who is at the other end of a connection.
struct PeerIdentity {
  pid_t process = 0;
  uid_t user = uid_t(-1);
};
PeerIdentity identity_of(int socket);

} // namespace gpuexec::lending

#endif
