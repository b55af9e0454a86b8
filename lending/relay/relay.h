//===-- lending/relay/relay.h - Carries a lent device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both relays do: one thread that moves frames between a TLS connection,
// the sockets of this machine and a mailbox. It never waits for one of them
// alone. While the device or the host may write to the mailbox it looks there
// again and again, as rpc/server/ does (rpc/server/back_off.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_RELAY_H
#define GPUEXEC_LENDING_RELAY_RELAY_H

#include "lending/relay/local_socket.h"
#include "lending/relay/memory.h"
#include "lending/relay/tls.h"
#include "rpc/server/back_off.h"
#include <chrono>
#include <poll.h>

namespace gpuexec::relay {

class Relay {
public:
  virtual ~Relay() = default;
  /// Until one of the sides has gone.
  void run();

protected:
  using Clock = std::chrono::steady_clock;

  Relay(UniqueFd network, UniqueFd local, Tls::Role role)
      : network(std::move(network)), control(std::move(local)), role(role) {}
  /// False when the other side is none that has the key or a certificate, or
  /// not there. `host`: as Tls::create().
  bool begin(const lending::Credentials &credentials, const std::string &host);

  /// A frame of the other side's; false: nonsense.
  virtual bool take(const Frame &frame) = 0;
  /// Sends what has happened in the mailbox; true when there was something.
  virtual bool look() = 0;
  /// Nothing wakes this process when the mailbox changes.
  virtual bool must_look() const = 0;
  /// Sends a piece of a message of the connection `control` on.
  virtual void send_control(LocalSocket::Piece piece);
  /// Carries out a message that this relay must understand; false: nonsense.
  virtual bool take_message(LocalSocket::Piece piece) = 0;
  /// A message begins on the connection for launches: what was written to the
  /// memory goes first.
  virtual void begin_launch_message() = 0;
  /// Nothing has happened for a while.
  virtual void rest() {}
  /// The socket for launches was closed; false: that is the end.
  virtual bool launches_have_ended() = 0;

  /// The connection is of no use any more. `why` is for the user; empty: the
  /// other side has ended it.
  void end(std::string why);

  UniqueFd network;
  LocalSocket control, launches;
  Outbox out;
  Memory memory;
  bool ended = false;
  std::string why_ended;

private:
  bool shake_hands();
  std::string hint() const;
  void lose_network();
  bool read_network();
  bool take_hello(const Frame &frame);
  bool take_frames();
  bool take_copied(llvm::StringRef body);
  void begin_copied();
  bool write_network();
  bool read_control();
  bool read_launches();
  bool carry(llvm::StringRef body);
  bool exchange();
  void wait(Clock::duration quiet);
  bool wait_for(short events, Clock::time_point deadline);
  void keep_alive(Clock::time_point now);

  const Tls::Role role;
  std::optional<Pump> pump;
  std::unique_ptr<Tls> tls; ///< through the pump
  Inbox inbox;
  /// Where the rest of a frame goes whose beginning has arrived.
  llvm::MutableArrayRef<char> sink;
  bool greeted = false;
  bool with_certificate = false;
  bool on_few = false;           ///< processors
  short network_events = POLLIN; ///< that TLS waits for
  bool network_ready = true, control_ready = true, launches_ready = true;
  Clock::time_point heard, spoken;
  rpc::WakeCost wake_cost;
};

/// Confines the process, and starts the threads of the pump, if it has any:
/// the process serves nothing but open sockets and memory from now on. False
/// when the kernel refuses what it can.
bool confine(Pump &pump);

/// Both end when the connection does. The second also ends the device's lease.
/// `why_not` is empty, or why there is no connection.
void run_client_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials,
                      const std::string &host, std::string why_not);
void run_server_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials);

} // namespace gpuexec::relay

#endif
