//===-- lending/relay/client.cpp - The relay of a client ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To its client it is a server, and then a worker.
//===----------------------------------------------------------------------===//
#include "lending/relay/mailbox.h"
#include "lending/relay/relay.h"
#include "lending/wire/protocol.h"
#include <sys/socket.h>

namespace gpuexec::relay {
namespace {

class ClientRelay final : public Relay {
public:
  ClientRelay(UniqueFd network, UniqueFd local)
      : Relay(std::move(network), std::move(local), Tls::Role::client) {}
  void serve(const lent::Credentials &credentials, const std::string &host,
             std::string why_not);

private:
  bool take(const Frame &frame) override;
  bool look() override { return mailbox && mailbox.look(out); }
  bool must_look() const override { return mailbox.is_waiting(); }
  void send_piece(FrameKind stream, LocalSocket::Piece piece) override;
  bool launches_have_ended() override { return false; }
  bool take_part(llvm::StringRef body);
  void take_control(llvm::StringRef bytes);
  void set_up_mailbox(llvm::StringRef body);
  void set_up_copies(llvm::StringRef body);

  UniqueFd launch_end; ///< the client's, until it has it
  HostSide mailbox;
  /// What the next message to the client comes with.
  std::vector<int> descriptors;
};

bool ClientRelay::take_part(llvm::StringRef body) {
  remote::Reader reader(body);
  const auto begin = reader.take<DeviceAddress>();
  const auto size = reader.take<uint64_t>();
  if (!reader.done() || !descriptors.empty())
    return false;
  const int file = memory.make(begin, size);
  if (file < 0)
    return false;
  // The first part comes with the socket for launches.
  if (launch_end)
    descriptors.push_back(launch_end.get());
  descriptors.push_back(file);
  return true;
}

void ClientRelay::take_control(llvm::StringRef bytes) {
  const bool has_launches = launch_end && !descriptors.empty();
  control.send(bytes, std::exchange(descriptors, {}));
  if (!has_launches)
    return;
  control.flush(); // the client has its end now, and it is the only one
  launch_end.close();
}

bool ClientRelay::take(const Frame &frame) {
  switch (frame.kind) {
  case FrameKind::control:
    take_control(frame.body);
    return true;
  case FrameKind::launches:
    launches.send(frame.body);
    return true;
  case FrameKind::part:
    return take_part(frame.body);
  case FrameKind::memory:
    return memory.take(frame.body);
  case FrameKind::port_request:
    return mailbox.take_port(frame.body);
  case FrameKind::fast_request:
    return mailbox.take_fast(frame.body);
  case FrameKind::output:
    return mailbox.take_output(frame.body);
  default:
    return false;
  }
}

void ClientRelay::set_up_mailbox(llvm::StringRef body) {
  remote::Reader reader(body);
  const auto place = reader.take<lent::MailboxPlace>();
  if (!reader.done() || !mailbox.set_up(place, memory))
    return end("the client's mailbox is nowhere");
  out.frame(FrameKind::mailbox, body);
}

void ClientRelay::set_up_copies(llvm::StringRef body) {
  remote::Reader reader(body);
  const auto begin = reader.take<DeviceAddress>();
  const auto half = reader.take<uint64_t>();
  // The end words stay at home.
  if (!reader.done() || half > UINT64_MAX / 2 ||
      !memory.set_copies(begin, 2 * half))
    return end("the client's memory for copies is nowhere");
  out.frame(FrameKind::copies, remote::Writer().put(begin).put(2 * half));
}

void ClientRelay::send_piece(FrameKind stream, LocalSocket::Piece piece) {
  if (piece.whole && piece.kind == uint32_t(remote::Request::mailbox))
    return set_up_mailbox(piece.body());
  if (carry(piece))
    return;
  if (piece.whole && piece.kind == uint32_t(remote::Request::copies))
    set_up_copies(piece.body());
  if (stream == FrameKind::launches && piece.begins) {
    // The kernel is to find what the host has written for it.
    memory.send_changes(out, mailbox.begin(), mailbox.size());
    look();
  }
  out.frame(stream, piece.bytes);
}

void ClientRelay::serve(const lent::Credentials &credentials,
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
  remote::Writer text;
  text.text(why_ended);
  remote::Writer message;
  message.put(uint32_t(lent::Word::refused))
      .put(uint32_t(text.bytes().size()))
      .raw(text.bytes());
  control.send(message.bytes());
  control.flush();
}

} // namespace

void run_client_relay(UniqueFd network, UniqueFd local,
                      const lent::Credentials &credentials,
                      const std::string &host, std::string why_not) {
  ClientRelay(std::move(network), std::move(local))
      .serve(credentials, host, std::move(why_not));
}

} // namespace gpuexec::relay
