//===-- lending/tests/fuzz_relay.cpp - Frames between two relays ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first byte says whose side is played: a client's relay that sends any
// frames to a server's, or the other way. A frame of the input is a kind, two
// bytes of size, a body. The frame `ping` stands for a look at the mailbox,
// which the input has filled before with its own bytes.
//===----------------------------------------------------------------------===//
#include "lending/relay/local_socket.h"
#include "lending/relay/mailbox.h"

using namespace gpuexec;
using namespace gpuexec::relay;

namespace {

constexpr DeviceAddress BEGIN{0x10000};
constexpr uint64_t SIZE = 512 << 10;

/// Written over the memory, as a program or a client may do at any time.
void scribble(Memory &memory, llvm::StringRef bytes) {
  std::byte *to = memory.view(BEGIN, SIZE);
  for (size_t at = 0; at + bytes.size() <= SIZE && !bytes.empty();
       at += std::max<size_t>(bytes.size(), 4096))
    std::memcpy(to + at, bytes.data(), bytes.size());
}

/// The memory for copies, and what comes for it or is to be sent of it.
void copies(FrameKind kind, llvm::StringRef body, Memory &memory, Outbox &out) {
  remote::Reader reader(body);
  const auto address = reader.take<DeviceAddress>();
  const auto size = reader.take<uint64_t>();
  if (kind == FrameKind::copies) {
    memory.set_copies(address, size);
    return;
  }
  if (char *to = memory.view_copies(address, size))
    std::memset(to, 1, size);
  memory.send_copied(out, address, size);
  while (!out.empty())
    out.sent(out.unsent().size());
}

template <typename Side, typename Take>
void play(llvm::StringRef input, Take take) {
  Memory memory;
  Side side;
  if (memory.make(BEGIN, SIZE) < 0)
    return;
  Outbox out;
  while (input.size() >= 3) {
    const auto kind = FrameKind(uint8_t(input[0]));
    const size_t size = uint8_t(input[1]) | uint8_t(input[2]) << 8;
    const llvm::StringRef body = input.drop_front(3).take_front(size);
    input = input.drop_front(3 + body.size());
    if (kind == FrameKind::mailbox) {
      remote::Reader reader(body);
      side.set_up(reader.take<lent::MailboxPlace>(), memory);
    } else if (kind == FrameKind::memory) {
      memory.take(body);
    } else if (kind == FrameKind::copies || kind == FrameKind::copied) {
      copies(kind, body, memory, out);
    } else if (kind == FrameKind::ping) {
      scribble(memory, body);
      side.look(out);
      memory.send_changes(out, side.begin(), side.size());
      while (!out.empty())
        out.sent(out.unsent().size());
    } else {
      take(side, kind, body);
    }
  }
}

void play_client(llvm::StringRef input) {
  play<DeviceSide>(
      input, [](DeviceSide &side, FrameKind kind, llvm::StringRef body) {
        kind == FrameKind::port_answer   ? side.take_port(body)
        : kind == FrameKind::fast_answer ? side.take_fast(body)
                                         : side.take_output_used(body);
      });
}

void play_server(llvm::StringRef input) {
  play<HostSide>(input,
                 [](HostSide &side, FrameKind kind, llvm::StringRef body) {
                   kind == FrameKind::port_request   ? side.take_port(body)
                   : kind == FrameKind::fast_request ? side.take_fast(body)
                                                     : side.take_output(body);
                 });
}

/// What comes over the network, in pieces of any size.
void play_network(llvm::StringRef input) {
  Inbox inbox;
  Boundary boundary;
  while (!input.empty() && !inbox.is_bad()) {
    const size_t size =
        std::min<size_t>(1 + uint8_t(input[0]) % 64, input.size());
    std::memcpy(inbox.room(64).data(), input.data(), size);
    inbox.arrived(size);
    boundary.follow(input.take_front(size));
    input = input.drop_front(size);
    while (std::optional<Frame> frame = inbox.next())
      if (frame->body.size() > LARGEST_FRAME)
        __builtin_trap();
    if (std::optional<Inbox::Begun> begun =
            inbox.take_begun(FrameKind::copied, 8))
      if (begun->bytes.size() + begun->missing > LARGEST_FRAME)
        __builtin_trap();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  llvm::StringRef input(reinterpret_cast<const char *>(data + 1), size - 1);
  switch (data[0] % 3) {
  case 0:
    play_client(input);
    break;
  case 1:
    play_server(input);
    break;
  default:
    play_network(input);
  }
  return 0;
}
