//===-- lending/server/client.h - Somebody who wants a device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, or another machine's relay, that is connected to the server and has
// no device yet.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_CLIENT_H
#define GPUEXEC_LENDING_SERVER_CLIENT_H

#include "lending/transport/relay_process.h"
#include "lending/transport/socket.h"
#include "lending/wire/channel.h"
#include "lending/wire/session.h"
#include <optional>

namespace gpuexec::serve {

/// Somebody who has connected and has no device.
struct Client {
  using Clock = std::chrono::steady_clock;
  Client(UniqueFd fd, lending::PeerIdentity who)
      : connection(std::move(fd)), channel(connection.get()),
        process(who.process), session(::getsid(who.process)) {
    channel.limit_messages(wire::LARGEST_OF_STRANGER);
  }
  /// One of another machine, through its relay.
  Client(lending::ServerRelay relay, std::string address)
      : connection(std::move(relay.local)), channel(connection.get()),
        process(relay.process), session(relay.process),
        address(std::move(address)) {
    channel.limit_messages(wire::LARGEST_OF_STRANGER);
  }
  bool is_far() const { return !address.empty(); }
  UniqueFd connection;
  wire::Channel channel;
  const pid_t process;
  /// Whose programs share the devices with other sessions'.
  const pid_t session;
  const std::string address; ///< of another machine's
  const Clock::time_point since = Clock::now();
  std::optional<wire::Borrow> wish; ///< it waits for a device
};

} // namespace gpuexec::serve

#endif
