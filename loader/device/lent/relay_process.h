//===-- loader/device/lent/relay_process.h - Carries a lent device -*- C++ -*-===//
// Between two machines stand two relays (loader/relay/), one on each: processes
// that have a network connection on one side and a socket of this machine on
// the other. To a client its relay is a server, to a server its relay is a
// client. They alone know TLS; neither has a driver, or any file but its
// sockets.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_LENT_RELAY_PROCESS_H
#define GPUEXEC_LOADER_DEVICE_LENT_RELAY_PROCESS_H

#include "support/descriptor.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <sys/types.h>

namespace gpuexec::lent {

/// What both machines have and nobody else.
using Key = std::array<unsigned char, 32>;

/// Reads a key from a file: 64 hexadecimal digits. Errors: Failure, also when
/// others than this user (or root) could have read it.
llvm::Expected<Key> read_key(const std::string &path);

/// Where this user has a key: $GPUEXEC_SERVER_KEY, or `gpuexec/key` in
/// $XDG_CONFIG_HOME or ~/.config.
std::string default_key_file();

/// What a relay has when it starts.
enum RelayDescriptor : int {
  LOCAL_SOCKET = 3,   ///< to the client or the server of this machine
  KEY_PIPE = 4,       ///< sizeof(Key) bytes
  NETWORK_SOCKET = 5, ///< connected; of a server's relay only
};

/// Starts a client's relay, which connects to the address; this process's end
/// of its local socket. The relay ends with the connection and is nobody's
/// child. What fails later is told over the socket, as Word::refused. Errors:
/// Failure.
llvm::Expected<UniqueFd> start_client_relay(const std::string &address,
                                            const Key &key);

/// A server's relay, for a client that has connected.
struct ServerRelay {
  pid_t process = 0; ///< a child, which dies with this process
  UniqueFd local;
};
/// Errors: Failure.
llvm::Expected<ServerRelay> start_server_relay(UniqueFd network,
                                               const Key &key);

/// Errors: Failure when this installation has no relay.
llvm::Expected<std::string> relay_program();

} // namespace gpuexec::lent

#endif
