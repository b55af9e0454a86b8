//===-- lending/relay/server.cpp - The relay of a server ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To its server, and to a worker, it is a client.
//===----------------------------------------------------------------------===//
#include "lending/relay/mailbox.h"
#include "lending/relay/relay.h"

namespace gpuexec::relay {
namespace {

using namespace std::chrono_literals;

/// A worker that has closed one connection closes the other one; before that
/// the server may say why.
constexpr auto LAST_WORD_PATIENCE = 250ms;

class ServerRelay final : public Relay {
public:
  ServerRelay(UniqueFd network, UniqueFd local)
      : Relay(std::move(network), std::move(local), Tls::Role::server) {}
  void serve(const lent::Credentials &credentials) {
    if (begin(credentials, {}))
      run();
    else if (credentials.has_certificate())
      let_other_side_read();
  }

private:
  bool take(const Frame &frame) override;
  bool look() override;
  /// While a kernel runs.
  bool must_look() const override { return kernels != 0; }
  void send_piece(FrameKind stream, LocalSocket::Piece piece) override;
  void rest() override {
    mailbox.look_at_output(out);
    if (last_word && Clock::now() > *last_word)
      end({});
  }
  bool launches_have_ended() override {
    last_word = Clock::now() + LAST_WORD_PATIENCE;
    kernels = 1; // so that rest() is called in time
    return true;
  }
  void take_part(LocalSocket::Piece &piece);
  bool set_up_mailbox(llvm::StringRef body);
  bool set_up_copies(llvm::StringRef body);
  void let_other_side_read();

  DeviceSide mailbox;
  unsigned kernels = 0; ///< that were begun and have not ended
  std::optional<Clock::time_point> last_word;
};

/// Why its certificate was refused: bytes of its that nobody has read would
/// make the kernel reset the connection.
void ServerRelay::let_other_side_read() {
  pollfd watched[] = {{network.get(), POLLRDHUP, 0},
                      {control.get(), POLLRDHUP, 0}};
  ::poll(watched, 2,
         int(std::chrono::milliseconds(LAST_WORD_PATIENCE).count()));
}

bool ServerRelay::look() { return mailbox && mailbox.look(out); }

bool ServerRelay::set_up_mailbox(llvm::StringRef body) {
  remote::Reader reader(body);
  const auto place = reader.take<lent::MailboxPlace>();
  return reader.done() && mailbox.set_up(place, memory);
}

bool ServerRelay::set_up_copies(llvm::StringRef body) {
  remote::Reader reader(body);
  const auto begin = reader.take<DeviceAddress>();
  const auto size = reader.take<uint64_t>();
  return reader.done() && memory.set_copies(begin, size);
}

bool ServerRelay::take(const Frame &frame) {
  switch (frame.kind) {
  case FrameKind::control:
    control.send(frame.body);
    return true;
  case FrameKind::launches:
    if (!launches)
      return false;
    launches.send(frame.body);
    kernels = 1;
    return true;
  case FrameKind::mailbox:
    return set_up_mailbox(frame.body);
  case FrameKind::copies:
    return set_up_copies(frame.body);
  case FrameKind::memory:
    return memory.take(frame.body);
  case FrameKind::port_answer:
    return mailbox.take_port(frame.body);
  case FrameKind::fast_answer:
    return mailbox.take_fast(frame.body);
  case FrameKind::output_used:
    return mailbox.take_output_used(frame.body);
  default:
    return false;
  }
}

/// A message of the worker's whose last fields are a part of the host's memory:
/// begin, size, and where that is in the file that comes with it. The client
/// gets a file of its relay's, in which it is at the beginning.
void ServerRelay::take_part(LocalSocket::Piece &piece) {
  struct Tail {
    DeviceAddress begin;
    uint64_t size, offset;
  } tail;
  if (piece.body().size() < sizeof(tail) || piece.descriptors.empty())
    return end("the worker replies nonsense");
  char *where = piece.bytes.data() + piece.bytes.size() - sizeof(tail);
  std::memcpy(&tail, where, sizeof(tail));
  UniqueFd file = std::move(piece.descriptors.back());
  if (!launches && piece.descriptors.size() == 2)
    launches = LocalSocket(std::move(piece.descriptors.front()));
  if (!memory.map(tail.begin, tail.size, std::move(file), tail.offset))
    return end("the device's memory cannot be shared");
  tail.offset = 0;
  std::memcpy(where, &tail, sizeof(tail));
  out.frame(FrameKind::part, remote::Writer().put(tail.begin).put(tail.size));
}

void ServerRelay::send_piece(FrameKind stream, LocalSocket::Piece piece) {
  if (carry(piece))
    return;
  if (stream == FrameKind::control && piece.whole)
    take_part(piece);
  if (stream == FrameKind::launches && piece.begins) {
    // The kernel has ended: what it has left goes first.
    look();
    mailbox.look_at_output(out);
    memory.send_changes(out, mailbox.begin(), mailbox.size());
    kernels = 0;
  }
  out.frame(stream, piece.bytes);
}

} // namespace

void run_server_relay(UniqueFd network, UniqueFd local,
                      const lent::Credentials &credentials) {
  ServerRelay(std::move(network), std::move(local)).serve(credentials);
}

} // namespace gpuexec::relay
