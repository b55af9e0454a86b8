//===-- lending/tests/relay_test.cpp - Between two machines ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/local_socket.h"
#include "lending/relay/mailbox.h"
#include "lending/transport/address.h"
#include "lending/transport/relay_process.h"
#include "lending/wire/shared_memory.h"
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

using namespace gpuexec;
using namespace gpuexec::relay;
using testing::HasSubstr;

namespace {

template <typename T> std::string error_of(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

/// What is sent, as frames.
std::vector<std::pair<uint32_t, std::string>> frames_of(Outbox &out) {
  Inbox inbox;
  while (!out.empty()) {
    llvm::StringRef bytes = out.unsent();
    std::ranges::copy(bytes, inbox.room(bytes.size()).begin());
    inbox.arrived(bytes.size());
    out.sent(bytes.size());
  }
  std::vector<std::pair<uint32_t, std::string>> frames;
  while (std::optional<Frame> frame = inbox.next())
    frames.emplace_back(frame->kind, frame->body.str());
  EXPECT_FALSE(inbox.is_bad());
  return frames;
}

TEST(Frames, ArriveInPiecesAndHaveALargestSize) {
  Outbox out;
  out.frame(wire::ControlBytes{{"one"}});
  out.frame(wire::Ping{});
  const std::string bytes = out.unsent().str();
  Inbox inbox;
  std::vector<std::string> bodies;
  for (char byte : bytes) {
    inbox.room(100)[0] = byte;
    inbox.arrived(1);
    while (std::optional<Frame> frame = inbox.next())
      bodies.push_back(frame->body.str());
  }
  EXPECT_THAT(bodies, testing::ElementsAre("one", ""));
  const FrameHeader large{wire::ControlBytes::KIND, LARGEST_FRAME + 1};
  std::memcpy(inbox.room(sizeof(large)).data(), &large, sizeof(large));
  inbox.arrived(sizeof(large));
  EXPECT_FALSE(inbox.next());
  EXPECT_TRUE(inbox.is_bad());
}

TEST(Frames, BytesAreSentFromWhereTheyAreAndInOrder) {
  Outbox out;
  std::string large(100000, 'l');
  out.frame(wire::ControlBytes{{"one"}});
  out.frame(wire::CopiedBytes{DeviceAddress(7), {}}, large);
  out.frame(wire::ControlBytes{{"two"}});
  EXPECT_EQ(out.size(), 3 * sizeof(FrameHeader) + 3 + 8 + 100000 + 3);
  large[0] = 'c'; // they were not copied
  std::string bytes;
  while (!out.empty()) { // a part of a piece at a time, too
    llvm::StringRef some = out.unsent().take_front(777);
    ASSERT_FALSE(some.empty());
    bytes += some;
    out.sent(some.size());
  }
  EXPECT_TRUE(out.unsent().empty());
  Inbox inbox;
  std::ranges::copy(bytes, inbox.room(bytes.size()).begin());
  inbox.arrived(bytes.size());
  EXPECT_EQ(inbox.next()->body, "one");
  const std::optional<Frame> copied = inbox.next();
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->body.drop_front(8), large);
  EXPECT_EQ(inbox.next()->body, "two");
}

TEST(Frames, OneThatHasBegunIsTakenOutOnceItsHeadIsThere) {
  Outbox out;
  out.frame(wire::Ping{});
  out.frame(wire::CopiedBytes::KIND, "headrest of it");
  const std::string bytes = out.unsent().str();
  Inbox inbox;
  auto arrives = [&](llvm::StringRef some) {
    std::ranges::copy(some, inbox.room(64 << 10).begin());
    inbox.arrived(some.size());
  };
  arrives(llvm::StringRef(bytes).take_front(19)); // 3 bytes of its body
  EXPECT_TRUE(inbox.next());
  EXPECT_FALSE(inbox.next());
  EXPECT_FALSE(inbox.take_begun(wire::CopiedBytes::KIND, 4));
  arrives(llvm::StringRef(bytes).substr(19, 5));
  EXPECT_FALSE(inbox.next());
  EXPECT_FALSE(inbox.take_begun(wire::ControlBytes::KIND, 4));
  EXPECT_FALSE(inbox.take_begun(wire::CopiedBytes::KIND, 15))
      << "it is shorter";
  std::optional<Inbox::Begun> begun =
      inbox.take_begun(wire::CopiedBytes::KIND, 4);
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->head, "head");
  EXPECT_EQ(begun->bytes, "rest");
  EXPECT_EQ(begun->missing, 6u);
  EXPECT_FALSE(inbox.take_begun(wire::CopiedBytes::KIND, 4));
  arrives(llvm::StringRef(bytes).take_front(8)); // the next frame
  EXPECT_TRUE(inbox.next());
}

/// A mailbox on two machines, both of which are here.
class Mirrored : public testing::Test {
protected:
  static constexpr uint32_t PORTS = 128, LANES = 64;
  static constexpr DeviceAddress WHERE{0x7000'0000'0000};

  void SetUp() override {
    size = layout.buffer_size();
    ASSERT_GE(device_memory.make(WHERE, size), 0);
    ASSERT_GE(host_memory.make(WHERE, size), 0);
    ASSERT_TRUE(device.set_up(place, device_memory));
    ASSERT_TRUE(host.set_up(place, host_memory));
  }
  template <typename T> T *at(Memory &memory, size_t offset) {
    return reinterpret_cast<T *>(memory.view(WHERE, size) + offset);
  }
  /// What one side sends, the other one takes; how many frames.
  size_t carry() {
    device.look(out);
    size_t count = 0;
    for (auto &[kind, body] : frames_of(out)) {
      ++count;
      EXPECT_TRUE(kind == wire::PortRequest::KIND   ? host.take_port(body)
                  : kind == wire::FastRequest::KIND ? host.take_fast(body)
                                                    : host.take_output(body));
    }
    host.look(out);
    for (auto &[kind, body] : frames_of(out)) {
      ++count;
      EXPECT_TRUE(kind == wire::PortAnswer::KIND ? device.take_port(body)
                  : kind == wire::FastAnswer::KIND
                      ? device.take_fast(body)
                      : device.take_output_used(body));
    }
    return count;
  }

  rpc::Layout layout = llvm::cantFail(
      rpc::Layout::from_client_size(sizeof(rpc_client22), PORTS, LANES));
  wire::MailboxPlace place{WHERE, 22,    sizeof(rpc_client22),
                           PORTS, LANES, LANES};
  size_t size = 0;
  Memory device_memory, host_memory;
  DeviceSide device;
  HostSide host;
  Outbox out;
};

TEST_F(Mirrored, APortGoesThereAndBackOnce) {
  constexpr uint32_t PORT = 70;
  auto *header = at<rpc_header>(device_memory, layout.headers_offset()) + PORT;
  auto *packets = at<rpc_packet>(device_memory, layout.packets_offset()) +
                  size_t(PORT) * LANES;
  *header = {0x8000'0000'0000'0005, 17, 0};
  for (uint32_t lane : {0, 1, 2, 63})
    packets[lane].words[7] = 100 + lane;
  at<uint32_t>(device_memory, layout.outbox_offset())[PORT] = 1;
  EXPECT_EQ(carry(), 1u);
  EXPECT_TRUE(host.is_waiting());
  EXPECT_EQ(carry(), 0u);
  auto *theirs = at<rpc_packet>(host_memory, layout.packets_offset()) +
                 size_t(PORT) * LANES;
  EXPECT_EQ(at<rpc_header>(host_memory, layout.headers_offset())[PORT].opcode,
            17u);
  EXPECT_EQ(at<uint32_t>(host_memory, layout.outbox_offset())[PORT], 1u);
  EXPECT_EQ(theirs[0].words[7], 100u);
  EXPECT_EQ(theirs[63].words[7], 163u);
  EXPECT_EQ(theirs[1].words[7], 0u); // takes no part
  theirs[2].words[0] = 9;
  theirs[3].words[0] = 9; // takes no part
  at<uint32_t>(host_memory, layout.inbox_offset())[PORT] = 1;
  EXPECT_EQ(carry(), 1u);
  EXPECT_FALSE(host.is_waiting());
  EXPECT_EQ(at<uint32_t>(device_memory, layout.inbox_offset())[PORT], 1u);
  EXPECT_EQ(packets[2].words[0], 9u);
  EXPECT_EQ(packets[3].words[0], 0u);
  EXPECT_EQ(carry(), 0u);
}

TEST_F(Mirrored, AStructureOfArraysGoesAsAWhole) {
  place.stride = 32;
  ASSERT_TRUE(device.set_up(place, device_memory));
  ASSERT_TRUE(host.set_up(place, host_memory));
  at<rpc_header>(device_memory, layout.headers_offset())[1] = {1, 17 | RPC_SOA,
                                                               RPC_SOA_WORDS};
  auto *words =
      at<uint64_t>(device_memory, layout.packets_offset()) + 1 * 32 * 8;
  words[2 * 32 + 31] = 5;
  at<uint32_t>(device_memory, layout.outbox_offset())[1] = 1;
  EXPECT_EQ(carry(), 1u);
  auto *theirs =
      at<uint64_t>(host_memory, layout.packets_offset()) + 1 * 32 * 8;
  EXPECT_EQ(theirs[2 * 32 + 31], 5u);
  reinterpret_cast<uint32_t *>(theirs + 3 * 32)[31] = 11; // errno of a lane
  at<uint32_t>(host_memory, layout.inbox_offset())[1] = 1;
  EXPECT_EQ(carry(), 1u);
  EXPECT_EQ(reinterpret_cast<uint32_t *>(words + 3 * 32)[31], 11u);
}

TEST_F(Mirrored, AnOpcodeOfVersion19HasNoFlags) {
  place.first_version = 19;
  ASSERT_TRUE(device.set_up(place, device_memory));
  ASSERT_TRUE(host.set_up(place, host_memory));
  at<rpc_header>(device_memory, layout.headers_offset())[0] = {
      uint64_t(1) << 63, 17 | RPC_SOA, 0};
  at<rpc_packet>(device_memory, layout.packets_offset())[63].words[7] = 5;
  at<uint32_t>(device_memory, layout.outbox_offset())[0] = 1;
  EXPECT_EQ(carry(), 1u);
  EXPECT_EQ(at<rpc_packet>(host_memory, layout.packets_offset())[63].words[7],
            5u);
}

TEST_F(Mirrored, AFastRequestGoesWhenItIsWhole) {
  constexpr uint32_t SLOT = 31, TAG = 8 + 1; // the first request, one word
  auto &device_slot =
      at<rpc_fast_slot>(device_memory, layout.fast_slots_offset())[SLOT];
  auto &host_slot =
      at<rpc_fast_slot>(host_memory, layout.fast_slots_offset())[SLOT];
  auto cell = [](uint64_t data) { return uint64_t(TAG) << 32 | data; };
  device_slot.request[0] = cell(77);
  device_slot.request[1] = cell(1);
  EXPECT_EQ(carry(), 0u); // the word's other half is missing
  device_slot.request[2] = cell(2);
  EXPECT_EQ(carry(), 1u);
  EXPECT_EQ(host_slot.request[0], cell(77));
  EXPECT_EQ(host_slot.request[2], cell(2));
  for (uint32_t i = 1; i < 8; ++i)
    host_slot.answer[i] = cell(10 + i);
  EXPECT_EQ(carry(), 0u);
  host_slot.answer[0] = uint64_t(TAG | RPC_FAST_SHORT) << 32 | 10;
  EXPECT_EQ(carry(), 1u);
  EXPECT_EQ(device_slot.answer[0], uint64_t(TAG | RPC_FAST_SHORT) << 32 | 10);
  EXPECT_EQ(device_slot.answer[7], cell(17));
  EXPECT_FALSE(host.is_waiting());
}

TEST_F(Mirrored, AFastRequestSaysInOneCellWhoCalls) {
  constexpr uint32_t TAG = 8 + RPC_FAST_CALLER_WORDS;
  auto *device_slot =
      at<rpc_fast_slot>(device_memory, layout.fast_slots_offset());
  auto *host_slot = at<rpc_fast_slot>(host_memory, layout.fast_slots_offset());
  auto cell = [](uint64_t data) { return uint64_t(TAG) << 32 | data; };
  for (uint32_t i = 0; i < 7; ++i)
    device_slot->request[i] = cell(i);
  EXPECT_EQ(carry(), 0u); // the last cell is missing
  device_slot->request[7] = cell(RPC_FAST_CALLER(5, 6));
  EXPECT_EQ(carry(), 1u);
  EXPECT_EQ(host_slot->request[7], cell(6 << 6 | 6));
}

TEST_F(Mirrored, OutputIsThereBeforeTheRequestAndEmptiedBeforeTheAnswer) {
  auto *device_output = at<rpc_output>(device_memory, layout.output_offset());
  auto *host_output = at<rpc_output>(host_memory, layout.output_offset());
  std::memcpy(device_output->text, "hello", 5);
  device_output->used = 5;
  EXPECT_EQ(carry(), 0u); // nobody has asked for it
  at<rpc_header>(device_memory, layout.headers_offset())[0] = {1, 17, 0};
  at<uint32_t>(device_memory, layout.outbox_offset())[0] = 1;
  EXPECT_EQ(carry(), 2u);
  EXPECT_EQ(host_output->used, 5u);
  EXPECT_EQ(std::memcmp(host_output->text, "hello", 5), 0);
  host_output->used = 0;
  at<uint32_t>(host_memory, layout.inbox_offset())[0] = 1;
  EXPECT_EQ(carry(), 2u);
  EXPECT_EQ(device_output->used, 0u);
  // What was added goes, not all of it again.
  std::memcpy(device_output->text, "help", 4);
  device_output->used = 4;
  EXPECT_TRUE(device.look_at_output(out));
  auto frames = frames_of(out);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].second.substr(12), "p");
  EXPECT_TRUE(host.take_output(frames[0].second));
  EXPECT_EQ(std::memcmp(host_output->text, "help", 4), 0);
}

TEST_F(Mirrored, NonsenseIsRefused) {
  wire::Writer port, slot, header, packets;
  port.put(PORTS).put(1u);
  EXPECT_FALSE(device.take_port(port.bytes()));
  port.put(rpc_header{});
  EXPECT_FALSE(host.take_port(port.bytes()));
  packets.put(0u).put(1u).put(rpc_header{1, 17, 0});
  EXPECT_FALSE(host.take_port(packets.bytes())); // a packet is missing
  packets.put(rpc_packet{}).put(uint8_t(0));
  EXPECT_FALSE(host.take_port(packets.bytes())); // a byte too many
  packets = {};
  packets.put(0u).put(1u).put(rpc_packet{});
  EXPECT_FALSE(device.take_port(packets.bytes())); // nobody has asked
  slot.put(RPC_FAST_SLOTS).put(9u).put(0u);
  EXPECT_FALSE(host.take_fast(slot.bytes()));
  slot.put(std::array<uint32_t, 7>{});
  EXPECT_FALSE(device.take_fast(slot.bytes()));
  slot = {};
  slot.put(0u).put(9u).put(0u).put(std::array<uint32_t, 9>{});
  EXPECT_FALSE(host.take_fast(slot.bytes()));
  for (auto [used, from] :
       {std::pair{RPC_OUTPUT_BYTES + 1ul, 0u},
        {4ul, 5u},
        {4ul, 3u},
        {RPC_BUFFERED(4, 1), 5u},
        {RPC_BUFFERED(RPC_OUTPUT_BYTES + 1, 1), 0u},
        {RPC_BUFFERED(0, RPC_OUTPUT_BYTES + 1), 0u}}) {
    wire::Writer output;
    output.put(uint64_t(used)).put(uint32_t(from));
    EXPECT_FALSE(host.take_output(output.bytes())) << used << " " << from;
  }
  EXPECT_FALSE(device.take_output_used(
      wire::Writer().put(uint64_t(RPC_OUTPUT_BYTES + 1)).bytes()));
  for (auto [ports, lanes, stride] : {std::tuple{0u, 64u, 64u},
                                      {PORTS * 2, 64u, 64u},
                                      {PORTS, 63u, 1u},
                                      {PORTS, 64u, 0u},
                                      {PORTS, 64u, 65u}}) {
    wire::MailboxPlace other{
        WHERE,           22, sizeof(rpc_client22), ports, uint16_t(lanes),
        uint16_t(stride)};
    EXPECT_FALSE(DeviceSide().set_up(other, device_memory))
        << ports << " " << lanes << " " << stride;
  }
  DeviceSide none;
  EXPECT_FALSE(none.look(out));
  EXPECT_FALSE(none.take_output_used(wire::Writer().put(uint64_t(0)).bytes()));
}

TEST_F(Mirrored, ARefusedPlaceLeavesTheMailboxAsItWas) {
  const rpc::Layout narrow = llvm::cantFail(
      rpc::Layout::from_client_size(sizeof(rpc_client22), PORTS, 32));
  wire::MailboxPlace other{WHERE, 22, sizeof(rpc_client22), PORTS, 32, 32};
  DeviceSide small;
  ASSERT_TRUE(small.set_up(other, device_memory));
  other.address = WHERE + size; // nothing is mapped there
  other.lanes = other.stride = LANES;
  EXPECT_FALSE(small.set_up(other, device_memory));
  at<rpc_header>(device_memory, narrow.headers_offset())[0] = {~0ull, 17, 0};
  at<uint32_t>(device_memory, narrow.outbox_offset())[0] = 1;
  EXPECT_TRUE(small.look(out));
  const auto frames = frames_of(out);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].second.size(),
            8 + sizeof(rpc_header) + 32 * RPC_PACKET_BYTES)
      << "32 lanes, as before";
}

TEST(RelayMemory, ChangesGoOnceAndWithoutTheMailbox) {
  Memory here, there;
  constexpr DeviceAddress BEGIN{0x10000};
  ASSERT_GE(here.make(BEGIN, 1 << 20), 0);
  ASSERT_GE(there.make(BEGIN, 1 << 20), 0);
  Outbox out;
  here.send_changes(out, {}, 0);
  EXPECT_TRUE(out.unsent().empty());
  std::byte *bytes = here.view(BEGIN, 1 << 20);
  bytes[5] = bytes[9000] = bytes[50000] = std::byte(7);
  here.send_changes(out, BEGIN + 8192, 4096);
  auto frames = frames_of(out);
  EXPECT_EQ(frames.size(), 2u);
  for (auto &[kind, body] : frames)
    EXPECT_TRUE(there.take(body));
  EXPECT_EQ(there.view(BEGIN + 5, 1)[0], std::byte(7));
  EXPECT_EQ(there.view(BEGIN + 9000, 1)[0], std::byte(0));
  EXPECT_EQ(there.view(BEGIN + 50000, 1)[0], std::byte(7));
  here.send_changes(out, BEGIN + 8192, 4096);
  EXPECT_TRUE(out.unsent().empty());
  // What has come does not go back.
  there.send_changes(out, {}, 0);
  EXPECT_TRUE(out.unsent().empty());
}

TEST(RelayMemory, CopiesGoWhenTheyAreToAndNowhereElse) {
  Memory here, there;
  constexpr DeviceAddress BEGIN{0x10000}, COPIES = BEGIN + (256 << 10);
  constexpr uint64_t SIZE = 512 << 10;
  Outbox out;
  EXPECT_FALSE(here.set_copies(COPIES, SIZE)) << "no memory there";
  for (Memory *memory : {&here, &there}) {
    ASSERT_GE(memory->make(BEGIN, 1 << 20), 0);
    EXPECT_EQ(memory->view_copies(COPIES, 1), nullptr);
    EXPECT_FALSE(memory->set_copies(BEGIN + 1, 1 << 20));
    EXPECT_FALSE(memory->set_copies(BEGIN, 0));
    ASSERT_TRUE(memory->set_copies(COPIES, SIZE));
    EXPECT_FALSE(memory->set_copies(BEGIN, 4096)) << "twice";
    EXPECT_EQ(memory->view_copies(DeviceAddress(COPIES.value - 1), 2), nullptr);
    EXPECT_EQ(memory->view_copies(COPIES + SIZE, 1), nullptr);
    EXPECT_EQ(memory->view_copies(COPIES, UINT64_MAX), nullptr);
  }
  std::byte *bytes = here.view(BEGIN, 1 << 20);
  std::memset(bytes, 7, 1 << 20);
  EXPECT_FALSE(here.send_copied(out, COPIES, SIZE + 1));
  EXPECT_TRUE(out.empty());
  // A range of more than one frame.
  ASSERT_TRUE(here.send_copied(out, COPIES + 1, SIZE - 2));
  auto frames = frames_of(out);
  EXPECT_EQ(frames.size(), 2u);
  for (auto &[kind, body] : frames) {
    EXPECT_EQ(kind, wire::CopiedBytes::KIND);
    auto copied = wire::decode<wire::CopiedBytes>(body);
    ASSERT_TRUE(copied);
    const llvm::StringRef bytes = copied->bytes.bytes;
    char *to = there.view_copies(copied->address, bytes.size());
    ASSERT_NE(to, nullptr);
    std::memcpy(to, bytes.data(), bytes.size());
  }
  std::byte *theirs = there.view(COPIES, SIZE);
  EXPECT_EQ(theirs[0], std::byte(0));
  EXPECT_EQ(theirs[1], std::byte(7));
  EXPECT_EQ(theirs[SIZE - 2], std::byte(7));
  EXPECT_EQ(theirs[SIZE - 1], std::byte(0));
  // What else has changed goes without them, and without a mailbox behind.
  here.send_changes(out, BEGIN + (900 << 10), 4096);
  for (auto &[kind, body] : frames_of(out)) {
    EXPECT_EQ(kind, wire::ChangedMemory::KIND);
    EXPECT_TRUE(there.take(body));
  }
  EXPECT_EQ(theirs[0], std::byte(0));
  EXPECT_EQ(theirs[-1], std::byte(7));
  EXPECT_EQ(theirs[SIZE], std::byte(7));
  EXPECT_EQ(theirs[(900 - 256) << 10], std::byte(0));
}

TEST(RelayMemory, APartInTheMiddleOfAFile) {
  constexpr uint64_t OFFSET = 1 << 20, SIZE = 16384;
  UniqueFd file = wire::sealed_memory("test", 4 << 20);
  auto *all = static_cast<std::byte *>(::mmap(
      nullptr, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0));
  ASSERT_NE(all, MAP_FAILED);
  Memory memory;
  ASSERT_TRUE(memory.map(DeviceAddress(0x5000), SIZE, std::move(file), OFFSET));
  for (uint64_t at : {OFFSET - 1, OFFSET + 5000, OFFSET + SIZE})
    all[at] = std::byte(7);
  Outbox out;
  memory.send_changes(out, {}, 0);
  auto frames = frames_of(out);
  ASSERT_EQ(frames.size(), 1u);
  Memory there;
  ASSERT_GE(there.make(DeviceAddress(0x5000), SIZE), 0);
  EXPECT_TRUE(there.take(frames[0].second));
  EXPECT_EQ(there.view(DeviceAddress(0x5000 + 5000), 1)[0], std::byte(7));
  ::munmap(all, 4 << 20);
}

TEST(RelayMemory, NothingOutsideIsTouchedAndAFileMustNotShrink) {
  Memory memory;
  ASSERT_GE(memory.make(DeviceAddress(0x10000), 4096), 0);
  for (uint64_t address : {0xfffful, 0x10ffful, 0x11000ul, ~0ul}) {
    wire::Writer body;
    body.put(address).text("ab");
    EXPECT_FALSE(memory.take(body.bytes())) << address;
  }
  EXPECT_EQ(memory.make(DeviceAddress(), 4096), -1);
  EXPECT_EQ(memory.make(DeviceAddress(1), 0), -1);
  EXPECT_EQ(memory.make(DeviceAddress(1), uint64_t(2) << 30), -1);
  EXPECT_EQ(memory.make(DeviceAddress(~0ul - 5), 4096), -1);
  UniqueFd shrinks(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(shrinks.get(), 4096), 0);
  EXPECT_FALSE(memory.map(DeviceAddress(0x20000), 4096, std::move(shrinks), 0));
}

TEST(RelaySockets, MessagesGoOnAsTheyComeAndThoseWithFilesAsAWhole) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  UniqueFd mine(ends[0]);
  LocalSocket socket{UniqueFd(ends[1])};
  LocalSocket::Piece piece;
  EXPECT_EQ(socket.receive(piece), LocalSocket::Got::nothing);
  const std::string message("\7\0\0\0\6\0\0\0abcdef", 14);
  ASSERT_EQ(::write(mine.get(), message.data(), 11), 11);
  ASSERT_EQ(socket.receive(piece), LocalSocket::Got::piece);
  EXPECT_TRUE(piece.begins);
  EXPECT_EQ(piece.kind, 7u);
  EXPECT_EQ(piece.bytes, message.substr(0, 11));
  ASSERT_EQ(::write(mine.get(), message.data() + 11, 3), 3);
  ASSERT_EQ(socket.receive(piece), LocalSocket::Got::piece);
  EXPECT_FALSE(piece.begins);
  EXPECT_EQ(piece.bytes, "def");
  wire::Channel channel(mine.get());
  ASSERT_TRUE(channel.send(9, "body", {mine.get()}));
  ASSERT_EQ(socket.receive(piece), LocalSocket::Got::piece);
  EXPECT_TRUE(piece.whole);
  EXPECT_EQ(piece.descriptors.size(), 1u);
  EXPECT_EQ(piece.body(), "body");
  piece = {};
  // And the other way; nothing is between two messages in the middle of one.
  socket.send(llvm::StringRef(message).take_front(9), {socket.get()});
  EXPECT_FALSE(socket.is_between_messages());
  socket.send(llvm::StringRef(message).drop_front(9));
  EXPECT_TRUE(socket.is_between_messages());
  ASSERT_TRUE(socket.flush());
  std::optional<wire::Message> got = channel.receive();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "abcdef");
  EXPECT_EQ(got->descriptors.size(), 1u);
  got.reset();
  const uint32_t large[] = {1, wire::LARGEST_MESSAGE + 1};
  ASSERT_EQ(::write(mine.get(), large, sizeof(large)), ssize_t(sizeof(large)));
  EXPECT_EQ(socket.receive(piece), LocalSocket::Got::end);
}

TEST(Address, IsReadAndNonsenseIsNamed) {
  llvm::Expected<lending::Address> tcp =
      lending::Address::parse("tcp://[::1]:80");
  ASSERT_TRUE(bool(tcp));
  EXPECT_EQ(tcp->host, "::1");
  EXPECT_EQ(tcp->port, 80u);
  llvm::Expected<lending::Address> vsock =
      lending::Address::parse("vsock://*:7");
  ASSERT_TRUE(bool(vsock));
  EXPECT_EQ(vsock->kind, lending::Address::Kind::vsock);
  EXPECT_EQ(vsock->host, "");
  for (const char *wrong :
       {"", "tcp://", "tcp://host", "tcp://host:", "tcp://:1", "tcp://h:65536",
        "tcp://[::1:5", "vsock://host:1", "vsock://2:-1", "udp://h:1", "/a/b"})
    EXPECT_THAT(error_of(lending::Address::parse(wrong)),
                HasSubstr("is no address"))
        << wrong;
}

TEST(Key, IsReadOnlyWhereNobodyElseCouldReadIt) {
  const std::string path =
      testing::TempDir() + "key" + std::to_string(::getpid());
  auto write = [&](const std::string &text, mode_t mode) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
  };
  const std::string digits(64, 'a');
  write(digits + "\n", 0600);
  llvm::Expected<lending::Key> key = lending::read_key(path);
  ASSERT_TRUE(bool(key)) << llvm::toString(key.takeError());
  EXPECT_EQ((*key)[31], 0xaa);
  write(digits, 0640);
  EXPECT_THAT(error_of(lending::read_key(path)),
              HasSubstr("others can read it"));
  for (const std::string &wrong :
       {std::string(), digits.substr(1), digits + "aa", "x" + digits.substr(1),
        std::string(500, 'a')}) {
    write(wrong, 0600);
    EXPECT_THAT(error_of(lending::read_key(path)),
                HasSubstr("64 hexadecimal digits"));
  }
  ::unlink(path.c_str());
  EXPECT_THAT(error_of(lending::read_key(path)), HasSubstr("No such file"));
  EXPECT_THAT(error_of(lending::read_key("/dev/zero")), HasSubstr("regular"));
}

TEST(Credentials, FilesThatBelongTogetherAreReadTogether) {
  const std::string folder =
      testing::TempDir() + "credentials" + std::to_string(::getpid());
  auto write = [&](const char *name, const std::string &text, mode_t mode) {
    const std::string path = folder + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  };
  CredentialFiles files;
  files.certificate = write(".crt", "shown", 0644);
  EXPECT_THAT(
      error_of(lending::read_credentials(files)),
      HasSubstr("the authority that signs the other side's is missing"));
  files.authority = write(".ca", "trusted", 0644);
  EXPECT_THAT(error_of(lending::read_credentials(files)),
              HasSubstr("others can read it"))
      << "its key is in the same file";
  files.certificate_key = write(".key", "secret", 0600);
  llvm::Expected<lending::Credentials> read = lending::read_credentials(files);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_FALSE(read->key) << "nobody has named one";
  read->key.emplace().fill(7);
  // As a relay gets them.
  wire::Writer bytes;
  put(bytes, *read);
  wire::Reader reader(bytes.bytes());
  const lending::Credentials got = lending::take_credentials(reader);
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(got.certificate, "shown");
  EXPECT_EQ(got.certificate_key, "secret");
  EXPECT_EQ(got.authority, "trusted");
  ASSERT_TRUE(got.key);
  EXPECT_EQ((*got.key)[31], 7);
  write(".ca", std::string((1 << 20) + 1, 'a'), 0644);
  EXPECT_THAT(error_of(lending::read_credentials(files)),
              HasSubstr("too large"));
  files.certificate.clear();
  EXPECT_THAT(error_of(lending::read_credentials(files)),
              HasSubstr("without a certificate it is of no use"));
  for (const char *name : {".crt", ".ca", ".key"})
    ::unlink((folder + name).c_str());
}

} // namespace
