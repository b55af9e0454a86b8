//===-- lending/relay/relay.h - Carries a lent device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the client's and the server's relay have in common: one thread that
// moves data between the TLS connection to the other relay, the sockets of this
// machine, and a mailbox. It waits for all connections at once. While the
// device or the host may write to the mailbox, the thread polls it, as the RPC
// server does (rpc/server/back_off.h).
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
  /// Serves until one of the connections ends.
  void run();

protected:
  using Clock = std::chrono::steady_clock;

  Relay(UniqueFd network, UniqueFd local, Tls::Role role)
      : network(std::move(network)), control(std::move(local)), role(role) {}
  /// Sets up TLS, confines the process and shakes hands. False, after end(),
  /// when one of these fails: for example when the other side is gone, or has
  /// proved neither that it has the key nor a certificate. `host`: as for
  /// Tls::create().
  bool begin(const lending::Credentials &credentials, const std::string &host);

  /// Carries out a frame of the other relay; false: the frame is invalid.
  virtual bool take(const Frame &frame) = 0;
  /// Sends what is new in the mailbox; true when there was something.
  virtual bool look() = 0;
  /// True while the mailbox must be polled: nothing wakes this process when the
  /// mailbox changes.
  virtual bool must_look() const = 0;
  /// Passes a piece that came over `control` on to the other relay, or carries
  /// it out when it is a message for this relay.
  virtual void send_control(LocalSocket::Piece piece);
  /// Carries out a message that this relay must understand; false: the message
  /// is invalid.
  virtual bool take_message(LocalSocket::Piece piece) = 0;
  /// Called before the first piece of a message from the connection for
  /// launches is sent: sends what was written to the memory.
  virtual void begin_launch_message() = 0;
  /// Called when nothing has happened for a while.
  virtual void rest() {}
  /// Called when the socket for launches was closed. False: the relay ends,
  /// too.
  virtual bool launches_have_ended() = 0;

  /// Ends the relay. `why` is for the user; empty: one side has closed its
  /// connection, which is no error here.
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
  std::unique_ptr<Tls> tls; ///< sends and receives through `pump`
  Inbox inbox;
  /// Where the missing bytes of a CopiedBytes frame go; empty: no such frame is
  /// incomplete.
  llvm::MutableArrayRef<char> sink;
  bool greeted = false;
  bool with_certificate = false;
  bool on_few = false;           ///< this machine has few processors
  short network_events = POLLIN; ///< that TLS waits for
  bool network_ready = true, control_ready = true, launches_ready = true;
  Clock::time_point heard, spoken; ///< when bytes last came and went
  rpc::WakeCost wake_cost;
};

/// Starts the pump's threads, if it has any, and confines the process: from now
/// on it can use only its open sockets and its memory. False when a thread
/// cannot be started or confined, or the process cannot.
bool confine(Pump &pump);

/// Each serves until its connections end. When the server's relay ends, its
/// client's lease of the device ends. `why_not`: why there is no connection to
/// the server; empty: there is one.
void run_client_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials,
                      const std::string &host, std::string why_not);
void run_server_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials);

} // namespace gpuexec::relay

#endif
