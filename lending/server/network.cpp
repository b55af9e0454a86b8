//===-- lending/server/network.cpp - Clients of other machines ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/network.h"
#include "lending/transport/address.h"
#include "support/failure.h"
#include <sys/socket.h>

namespace gpuexec::serve {

/// The most connections that are accepted at one socket before the server turns
/// to its other sockets.
constexpr unsigned ACCEPTED_AT_ONCE = 64;

llvm::Expected<Network> Network::open(const Settings &settings) {
  Network network;
  if (settings.listen.empty())
    return std::move(network);
  if (llvm::Error error = lending::relay_program().takeError())
    return std::move(error);
  llvm::Expected<lending::Credentials> credentials =
      lending::read_credentials(settings.credentials);
  if (!credentials)
    return failure(Reason::failed,
                   "--listen needs a key, or a certificate and its authority, "
                   "without which anybody could use this machine's devices: "
                   "{0}",
                   llvm::toString(credentials.takeError()));
  if (llvm::Error error = lending::check_credentials(*credentials))
    return std::move(error);
  network.credentials = std::move(*credentials);
  for (const std::string &text : settings.listen) {
    llvm::Expected<lending::Address> address = lending::Address::parse(text);
    if (!address)
      return address.takeError();
    llvm::Expected<UniqueFd> socket = lending::listen_at(*address);
    if (!socket)
      return socket.takeError();
    network.addresses.push_back(
        lending::name_of(socket->get(), /*other_end=*/false));
    network.listening.push_back(std::move(*socket));
  }
  return std::move(network);
}

void Network::accept(int socket) {
  for (unsigned i = 0; i < ACCEPTED_AT_ONCE; ++i) {
    UniqueFd connection(
        ::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection)
      return;
    std::string address =
        lending::name_of(connection.get(), /*other_end=*/true);
    arrived.add(std::move(connection), std::move(address),
                Arrivals::Clock::now());
  }
}

std::optional<lending::ServerRelay> Network::start_relay(UniqueFd connection) {
  llvm::Expected<lending::ServerRelay> relay =
      lending::start_server_relay(std::move(connection), credentials);
  if (relay)
    return std::move(*relay);
  llvm::consumeError(relay.takeError()); // the client sees the connection end
  return std::nullopt;
}

} // namespace gpuexec::serve
