//===-- lending/relay/client.cpp - The relay of a client ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To the client on its machine this relay is a server, and then a worker.
//===----------------------------------------------------------------------===//
#include "lending/relay/mailbox.h"
#include "lending/relay/relay.h"
#include <sys/socket.h>

namespace gpuexec::relay {
namespace {

class ClientRelay final : public Relay {
public:
  ClientRelay(UniqueFd network, UniqueFd local)
      : Relay(std::move(network), std::move(local), Tls::Role::client) {}
  void serve(const lending::Credentials &credentials, const std::string &host,
             std::string why_not);

private:
  bool take(const Frame &frame) override;
  bool look() override { return mailbox && mailbox.look(out); }
  bool must_look() const override { return mailbox.is_waiting(); }
  bool take_message(LocalSocket::Piece piece) override;
  void begin_launch_message() override;
  bool launches_have_ended() override { return false; }
  bool take_part(llvm::StringRef body);
  bool take_lent(llvm::StringRef body);
  void set_up_mailbox(llvm::StringRef body);
  void set_up_copies(llvm::StringRef body);

  UniqueFd launch_end; ///< the client's end of `launches`, until it is sent
  HostSide mailbox;
};

/// Makes a file for the part and sends it to the client.
bool ClientRelay::take_part(llvm::StringRef body) {
  std::optional<wire::Part> part = wire::decode<wire::Part>(body);
  if (!part || part->offset || !control.is_between_messages())
    return false;
  const int file = memory.make(part->begin, part->size);
  if (file >= 0)
    control.send(wire::Part::KIND, body, {file});
  return file >= 0;
}

/// Sends the client its end of the socket for launches, and closes that end
/// here: then only the client has it.
bool ClientRelay::take_lent(llvm::StringRef body) {
  if (!launch_end || !control.is_between_messages())
    return false;
  control.send(wire::Lent::KIND, body, {launch_end.get()});
  control.flush();
  launch_end.close();
  return true;
}

bool ClientRelay::take(const Frame &frame) {
  switch (frame.kind) {
  case wire::ControlBytes::KIND:
    control.send(frame.body);
    return true;
  case wire::LaunchBytes::KIND:
    launches.send(frame.body);
    return true;
  case wire::Part::KIND:
    return take_part(frame.body);
  case wire::Lent::KIND:
    return take_lent(frame.body);
  case wire::ChangedMemory::KIND:
    return memory.take(frame.body);
  case wire::PortRequest::KIND:
    return mailbox.take_port(frame.body);
  case wire::FastRequest::KIND:
    return mailbox.take_fast(frame.body);
  case wire::Output::KIND:
    return mailbox.take_output(frame.body);
  default:
    return false;
  }
}

void ClientRelay::set_up_mailbox(llvm::StringRef body) {
  std::optional<wire::SetMailbox> set = wire::decode<wire::SetMailbox>(body);
  if (!set || !mailbox.set_up(set->place, memory))
    return end("the client's mailbox is nowhere");
  out.frame(wire::SetMailbox::KIND, body);
}

/// Only the two halves are sent between the machines. The end words behind them
/// are used only where client and device are on one machine.
void ClientRelay::set_up_copies(llvm::StringRef body) {
  std::optional<wire::UseCopies> use = wire::decode<wire::UseCopies>(body);
  if (!use || !memory.set_copies(use->address, 2 * use->half))
    return end("the client's memory for copies is nowhere");
  out.frame(wire::UseCopies::KIND, body);
}

bool ClientRelay::take_message(LocalSocket::Piece piece) {
  switch (piece.kind) {
  case wire::SetMailbox::KIND:
    set_up_mailbox(piece.body());
    return true;
  case wire::UseCopies::KIND:
    set_up_copies(piece.body());
    return true;
  default:
    return false;
  }
}

/// Sends what the host has written to the memory, so that the kernel finds it.
void ClientRelay::begin_launch_message() {
  memory.send_changes(out, mailbox.begin(), mailbox.size());
  look();
}

void ClientRelay::serve(const lending::Credentials &credentials,
                        const std::string &host, std::string why_not) {
  int ends[2];
  if (why_not.empty() &&
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    why_not = "no sockets are left";
  if (!why_not.empty()) {
    end(std::move(why_not));
  } else {
    launches = LocalSocket(UniqueFd(ends[0]));
    launch_end = UniqueFd(ends[1]);
    begin(credentials, host);
  }
  if (!ended)
    run();
  if (!control || why_ended.empty() || !control.is_between_messages())
    return;
  control.send(wire::Refused::KIND,
               wire::encode(wire::Refused{why_ended, /*again=*/false}));
  control.flush();
}

} // namespace

void run_client_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials,
                      const std::string &host, std::string why_not) {
  ClientRelay(std::move(network), std::move(local))
      .serve(credentials, host, std::move(why_not));
}

} // namespace gpuexec::relay
