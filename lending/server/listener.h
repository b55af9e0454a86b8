//===-- lending/server/listener.h - The server's socket ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The socket at which the server listens for clients of this machine. No other
// server listens there at the same time.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_LISTENER_H
#define GPUEXEC_LENDING_SERVER_LISTENER_H

#include "support/descriptor.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuexec::serve {

/// A listening socket, and a lock that keeps other servers from its path.
class Listener {
public:
  /// The socket that systemd has opened (LISTEN_FDS), or a new one at `path`,
  /// in a folder of this user's alone. A socket that a server has left behind
  /// is replaced. Errors: Failure, also when a server listens there.
  static llvm::Expected<Listener> open(const std::string &path);
  Listener(Listener &&) = default;
  ~Listener() { close(); }

  /// The socket, which does not block; -1 after close().
  int get() const { return socket.get(); }
  /// Listens no more: the socket's file goes away, unless systemd has made it,
  /// and another server may listen at the path.
  void close();
  /// The path of the socket, also of one that systemd has opened.
  const std::string &path() const { return address; }

private:
  Listener(UniqueFd socket, UniqueFd lock, std::string address)
      : socket(std::move(socket)), lock(std::move(lock)),
        address(std::move(address)) {}
  UniqueFd socket, lock; ///< no lock: systemd has opened the socket
  std::string address;
};

} // namespace gpuexec::serve

#endif
