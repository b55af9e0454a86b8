//===-- lending/server/network.h - Clients of other machines ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sockets that listen to other machines. Each connection that sends something
// gets a relay (lending/transport/relay_process.h). This process uses nothing
// that another machine sends before the relay has found that the machine has
// the key, or a certificate.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_NETWORK_H
#define GPUEXEC_LENDING_SERVER_NETWORK_H

#include "lending/server/arrivals.h"
#include "lending/server/settings.h"
#include "lending/transport/relay_process.h"

namespace gpuexec::serve {

class Network {
public:
  /// Listens at settings.listen. Errors: Failure, also when there is no key or
  /// certificate, or a relay cannot use it.
  static llvm::Expected<Network> open(const Settings &settings);

  /// Non-blocking.
  const std::vector<UniqueFd> &sockets() const { return listening; }
  /// The addresses at which the sockets listen.
  const std::vector<std::string> &names() const { return addresses; }
  void close() {
    listening.clear();
    arrived.clear();
  }

  /// Takes some of the connections that wait at a socket.
  void accept(int socket);
  /// The connections that have no relay yet.
  Arrivals &arrivals() { return arrived; }
  /// Starts a relay for a connection; nothing when none can be started.
  std::optional<lending::ServerRelay> start_relay(UniqueFd connection);

private:
  lending::Credentials credentials;
  Arrivals arrived;
  std::vector<UniqueFd> listening;
  std::vector<std::string> addresses;
};

} // namespace gpuexec::serve

#endif
