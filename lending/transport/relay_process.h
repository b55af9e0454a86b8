//===-- lending/transport/relay_process.h - Carries a lent device ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between two machines stand two relays (lending/relay/), one on each:
// processes that have a network connection on one side and a socket of this
// machine on the other. To a client its relay is a server, to a server its
// relay is a client. They alone know TLS; neither has a driver, or any file but
// its sockets.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_TRANSPORT_RELAY_PROCESS_H
#define GPUEXEC_LENDING_TRANSPORT_RELAY_PROCESS_H

#include "lending/transport/credentials.h"
#include "support/descriptor.h"
#include <sys/types.h>

namespace gpuexec::lending {

/// What a relay has when it starts.
enum RelayDescriptor : int {
  LOCAL_SOCKET = 3,   ///< to the client or the server of this machine
  CREDENTIALS = 4,    ///< a file in memory: Credentials
  NETWORK_SOCKET = 5, ///< connected; of a server's relay only
};

/// Starts a client's relay, which connects to the address; this process's end
/// of its local socket. The relay ends with the connection and is nobody's
/// child. What fails later is told over the socket, as wire::Refused. Errors:
/// Failure.
llvm::Expected<UniqueFd> start_client_relay(const std::string &address,
                                            const Credentials &credentials);

/// A server's relay, for a client that has connected.
struct ServerRelay {
  pid_t process = 0; ///< a child, which dies with this process
  UniqueFd local;
};
/// Errors: Failure.
llvm::Expected<ServerRelay> start_server_relay(UniqueFd network,
                                               const Credentials &credentials);

/// Has a relay look at credentials. Errors: Failure that says why they are of
/// no use.
llvm::Error check_credentials(const Credentials &credentials);

/// Errors: Failure when this installation has no relay.
llvm::Expected<std::string> relay_program();

} // namespace gpuexec::lending

#endif
