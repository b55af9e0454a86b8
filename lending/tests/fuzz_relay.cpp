//===-- lending/tests/fuzz_relay.cpp - Frames between two relays ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first byte says whose side is played: a client's relay that sends any
// frames to a server's, or the other way. Ping stands for a look at the
// mailbox, which the input has filled before with its own bytes.
//===----------------------------------------------------------------------===//
#include "lending/relay/local_socket.h"
#include "lending/relay/mailbox.h"
#include "lending/tests/filler.h"

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
void copies(uint32_t kind, llvm::StringRef body, Memory &memory, Outbox &out) {
  if (kind == wire::UseCopies::KIND) {
    if (auto use = wire::decode<wire::UseCopies>(body))
      memory.set_copies(use->address, 2 * use->half);
    return;
  }
  std::optional<wire::Carry> what = wire::decode<wire::Carry>(body);
  if (!what)
    return;
  if (char *to = memory.view_copies(what->address, what->size))
    std::memset(to, 1, what->size);
  memory.send_copied(out, what->address, what->size);
  while (!out.empty())
    out.sent(out.unsent().size());
}

/// A frame of the input: its kind, and a body in bytes behind their size. With
/// the highest bit of the kind the message is well-formed.
std::pair<uint32_t, std::string> take_frame(llvm::StringRef &input) {
  static constexpr uint32_t KINDS[] = {
      wire::SetMailbox::KIND, wire::ChangedMemory::KIND,
      wire::UseCopies::KIND,  wire::Carry::KIND,
      wire::Ping::KIND,       wire::PortRequest::KIND,
      wire::PortAnswer::KIND, wire::FastRequest::KIND,
      wire::FastAnswer::KIND, wire::Output::KIND,
      wire::OutputUsed::KIND};
  const auto first = uint8_t(input[0]);
  const uint32_t kind = KINDS[(first & 0x7f) % std::size(KINDS)];
  if (first & 0x80) {
    input = input.drop_front(1);
    return {kind, wire::fill(kind, input)};
  }
  const size_t size = uint8_t(input[1]) | uint8_t(input[2]) << 8;
  const llvm::StringRef body = input.drop_front(3).take_front(size);
  input = input.drop_front(3 + body.size());
  return {kind, body.str()};
}

template <typename Side, typename Take>
void play(llvm::StringRef input, Take take) {
  Memory memory;
  Side side;
  if (memory.make(BEGIN, SIZE) < 0)
    return;
  Outbox out;
  // A look takes milliseconds on a busy machine: thousands would be a slow
  // unit.
  constexpr unsigned MOST_LOOKS = 200;
  for (unsigned looks = 0; input.size() >= 3 && looks < MOST_LOOKS;) {
    const auto [kind, body] = take_frame(input);
    if (kind == wire::SetMailbox::KIND) {
      if (auto set = wire::decode<wire::SetMailbox>(body))
        side.set_up(set->place, memory);
    } else if (kind == wire::ChangedMemory::KIND) {
      memory.take(body);
    } else if (kind == wire::UseCopies::KIND || kind == wire::Carry::KIND) {
      copies(kind, body, memory, out);
    } else if (kind == wire::Ping::KIND) {
      ++looks;
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
      input, [](DeviceSide &side, uint32_t kind, llvm::StringRef body) {
        kind == wire::PortAnswer::KIND   ? side.take_port(body)
        : kind == wire::FastAnswer::KIND ? side.take_fast(body)
                                         : side.take_output_used(body);
      });
}

void play_server(llvm::StringRef input) {
  play<HostSide>(input,
                 [](HostSide &side, uint32_t kind, llvm::StringRef body) {
                   kind == wire::PortRequest::KIND   ? side.take_port(body)
                   : kind == wire::FastRequest::KIND ? side.take_fast(body)
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
            inbox.take_begun(wire::CopiedBytes::KIND, 8))
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
