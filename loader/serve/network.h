//===-- loader/serve/network.h - Clients of other machines ------*- C++ -*-===//
// Sockets that listen to other machines. Each connection gets a relay at once
// (loader/device/lent/relay_process.h): this process reads nothing that another
// machine has sent before the relay has found that it has the key.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SERVE_NETWORK_H
#define GPUEXEC_LOADER_SERVE_NETWORK_H

#include "loader/device/lent/relay_process.h"
#include "loader/serve/settings.h"

namespace gpuexec::serve {

class Network {
public:
  /// Listens at settings.listen. Errors: Failure, also without a key or
  /// certificate, or when a relay cannot use it.
  static llvm::Expected<Network> open(const Settings &settings);

  /// Non-blocking.
  const std::vector<UniqueFd> &sockets() const { return listening; }
  /// Where they listen, as addresses.
  const std::vector<std::string> &names() const { return addresses; }
  void close() { listening.clear(); }

  struct Arrival {
    lent::ServerRelay relay;
    std::string address;
  };
  /// The next connection of a socket, with its relay; nothing when there is
  /// none, or no relay could be started for it.
  std::optional<Arrival> accept(int socket) const;

private:
  lent::Credentials credentials;
  std::vector<UniqueFd> listening;
  std::vector<std::string> addresses;
};

} // namespace gpuexec::serve

#endif
