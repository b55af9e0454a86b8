//===-- lending/relay/server.cpp - The relay of a server ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To the server on its machine, and then to a worker, this relay is a client.
//===----------------------------------------------------------------------===//
#include "lending/relay/mailbox.h"
#include "lending/relay/relay.h"

namespace gpuexec::relay {
namespace {

using namespace std::chrono_literals;

/// How long this relay goes on after the worker has closed its socket for
/// launches: the server may still send the reason over the other connection.
/// Also how long a refused client may take to read why.
constexpr auto REASON_TIMEOUT = 250ms;

class ServerRelay final : public Relay {
public:
  ServerRelay(UniqueFd network, UniqueFd local)
      : Relay(std::move(network), std::move(local), Tls::Role::server) {}
  void serve(const lending::Credentials &credentials) {
    if (begin(credentials, {}))
      run();
    else if (credentials.has_certificate())
      let_other_side_read();
  }

private:
  bool take(const Frame &frame) override;
  bool look() override;
  /// True while a kernel runs.
  bool must_look() const override { return kernels != 0; }
  bool take_message(LocalSocket::Piece piece) override;
  void begin_launch_message() override;
  void rest() override {
    mailbox.look_at_output(out);
    if (reason_deadline && Clock::now() > *reason_deadline)
      end({});
  }
  bool launches_have_ended() override {
    reason_deadline = Clock::now() + REASON_TIMEOUT;
    kernels = 1; // must_look() is true: run() calls rest() often
    return true;
  }
  bool take_part(LocalSocket::Piece piece);
  bool take_lent(LocalSocket::Piece piece);
  bool set_up_mailbox(llvm::StringRef body);
  bool set_up_copies(llvm::StringRef body);
  void let_other_side_read();

  DeviceSide mailbox;
  unsigned kernels = 0; ///< 1 from a launch to the beginning of its reply
  std::optional<Clock::time_point> reason_deadline;
};

/// Waits until the client has read why its certificate was refused. To close
/// the connection while data of the client's is unread would reset it, and the
/// client would never read the reason.
void ServerRelay::let_other_side_read() {
  pollfd watched[] = {{network.get(), POLLRDHUP, 0},
                      {control.get(), POLLRDHUP, 0}};
  ::poll(watched, 2, int(std::chrono::milliseconds(REASON_TIMEOUT).count()));
}

bool ServerRelay::look() { return mailbox && mailbox.look(out); }

bool ServerRelay::set_up_mailbox(llvm::StringRef body) {
  std::optional<wire::SetMailbox> set = wire::decode<wire::SetMailbox>(body);
  return set && mailbox.set_up(set->place, memory);
}

/// Notes which memory is for copies and passes the message on to the worker.
bool ServerRelay::set_up_copies(llvm::StringRef body) {
  std::optional<wire::UseCopies> use = wire::decode<wire::UseCopies>(body);
  if (!use || !control.is_between_messages() ||
      !memory.set_copies(use->address, 2 * use->half))
    return false;
  control.send(wire::UseCopies::KIND, body);
  return true;
}

bool ServerRelay::take(const Frame &frame) {
  switch (frame.kind) {
  case wire::ControlBytes::KIND:
    control.send(frame.body);
    return true;
  case wire::LaunchBytes::KIND:
    if (!launches)
      return false;
    launches.send(frame.body);
    kernels = 1;
    return true;
  case wire::SetMailbox::KIND:
    return set_up_mailbox(frame.body);
  case wire::UseCopies::KIND:
    return set_up_copies(frame.body);
  case wire::ChangedMemory::KIND:
    return memory.take(frame.body);
  case wire::PortAnswer::KIND:
    return mailbox.take_port(frame.body);
  case wire::FastAnswer::KIND:
    return mailbox.take_fast(frame.body);
  case wire::OutputUsed::KIND:
    return mailbox.take_output_used(frame.body);
  default:
    return false;
  }
}

/// Maps the part and tells the client's relay of it, which makes a file of its
/// own: in that the part has offset 0.
bool ServerRelay::take_part(LocalSocket::Piece piece) {
  std::optional<wire::Part> part = wire::decode<wire::Part>(piece.body());
  if (!part || piece.descriptors.size() != 1)
    return false;
  if (!memory.map(part->begin, part->size, std::move(piece.descriptors.front()),
                  part->offset))
    end("the device's memory cannot be shared");
  part->offset = 0;
  out.frame(*part);
  return true;
}

bool ServerRelay::take_lent(LocalSocket::Piece piece) {
  if (launches || piece.descriptors.size() != 1)
    return false;
  launches = LocalSocket(std::move(piece.descriptors.front()));
  out.frame(wire::Lent::KIND, piece.body());
  return true;
}

bool ServerRelay::take_message(LocalSocket::Piece piece) {
  switch (piece.kind) {
  case wire::Part::KIND:
    return take_part(std::move(piece));
  case wire::Lent::KIND:
    return take_lent(std::move(piece));
  default:
    return false;
  }
}

/// The reply to a launch begins, so its kernels have ended: first sends what
/// they have written to mailbox, output and memory.
void ServerRelay::begin_launch_message() {
  look();
  mailbox.look_at_output(out);
  memory.send_changes(out, mailbox.begin(), mailbox.size());
  kernels = 0;
}

} // namespace

void run_server_relay(UniqueFd network, UniqueFd local,
                      const lending::Credentials &credentials) {
  ServerRelay(std::move(network), std::move(local)).serve(credentials);
}

} // namespace gpuexec::relay
