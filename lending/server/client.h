//===-- lending/server/client.h - Somebody who wants a device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that is connected to the server and has no device yet: one of this
// machine, or one of another machine through a relay.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_CLIENT_H
#define GPUEXEC_LENDING_SERVER_CLIENT_H

#include "lending/transport/relay_process.h"
#include "lending/transport/socket.h"
#include "lending/wire/channel.h"
#include "lending/wire/session.h"
#include <optional>

namespace gpuexec::serve {

/// A connection that has no device yet.
struct Client {
  using Clock = std::chrono::steady_clock;
  Client(UniqueFd fd, lending::PeerIdentity who)
      : connection(std::move(fd)), channel(connection.get()),
        process(who.process), session(::getsid(who.process)) {
    channel.limit_messages(wire::LARGEST_OF_STRANGER);
  }
  /// A program of another machine, through the relay that serves it here.
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
  /// The session of the process (getsid()), or the relay's number: devices are
  /// shared out fairly between sessions.
  const pid_t session;
  const std::string address; ///< of another machine; empty: of this one
  const Clock::time_point since = Clock::now();
  std::optional<wire::Borrow> wish; ///< once the client waits for a device
};

} // namespace gpuexec::serve

#endif
