//===-- lending/tests/copy_slot_test.cpp - Requests without a wake-up -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/device.h"
#include "lending/peer/lent_peer.h"
#include "lending/wire/copy_slot.h"
#include "loader/tests/fake_device.h"
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>

using namespace gpuexec;

namespace {

/// What is asked goes to the worker's side over a socket.
class SocketLink final : public wire::Link {
public:
  explicit SocketLink(int socket) : channel(socket) {}
  void kill() override {}
  const char *name() const override { return "the worker"; }
  unsigned notified = 0; ///< messages

private:
  llvm::Expected<wire::Answer> exchange(uint32_t kind, llvm::StringRef body,
                                        Limit) override {
    channel.send(kind, body);
    std::optional<wire::Part> part;
    std::optional<wire::Message> message = channel.receive();
    UniqueFd file;
    if (message && message->kind == wire::Part::KIND) {
      part = wire::decode<wire::Part>(message->body);
      file = std::move(message->descriptors.at(0));
      message = channel.receive();
    }
    if (!message || message->kind != wire::Done::KIND)
      return failure(Reason::failed, "the worker says no");
    wire::Answer answer{std::move(message->body), std::nullopt};
    if (part)
      answer.part = wire::SharedPart{*part, std::move(file)};
    return answer;
  }
  llvm::Expected<wire::Answer> exchange_launch(llvm::StringRef) override {
    return failure(Reason::failed, "there are no kernels");
  }
  void notify_bytes(uint32_t kind, llvm::StringRef body) override {
    ++notified;
    channel.send(kind, body);
  }
  wire::Channel channel;
};

/// Whether a request goes through the slot or over the socket depends on how
/// busy the machine is. Either way it is carried out once, before all that the
/// client asks after it.
TEST(CopySlot, OfAWorkerThatPollsBringsRequestsOnceAndInOrder) {
  FakeDevice device;
  lending::HostMemory host(device);
  ASSERT_FALSE(bool(host.prepare()));
  lending::LentPeer peer(device, &host, UINT64_MAX);
  wire::SharedMemory shared;
  wire::Facts facts;
  facts.all_is_shared = false;
  int control[2], launches[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, control), 0);
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, launches), 0);
  UniqueFd ours(control[0]), theirs(control[1]), launch_end(launches[0]),
      other_launch_end(launches[1]);
  peer.set_polls(true);
  std::thread worker([&] { peer.serve_client(theirs.get(), launches[1]); });
  SocketLink to(ours.get());
  lending::RemoteDevice client(to, shared, facts);
  rpc::DeviceMemory &heap = client.heap();
  constexpr uint64_t SIZE = 64 << 10;
  constexpr int ROUNDS = 200;
  const DeviceAddress memory = heap.allocate(SIZE, 256);
  ASSERT_TRUE(memory);
  for (int round = 0; round < ROUNDS; ++round) {
    std::unique_ptr<rpc::CopyBuffer> copies = heap.copy_buffer();
    ASSERT_TRUE(copies);
    const unsigned half = round % 2;
    std::memset(copies->data(half), round, SIZE);
    ASSERT_FALSE(bool(copies->start_write(half, memory, SIZE))) << round;
    ASSERT_FALSE(bool(copies->finish(half))) << round;
    // More parts than the slot takes, now and then.
    const uint64_t part = round % 10 ? SIZE : 64;
    for (uint64_t at = 0; at < SIZE; at += part)
      ASSERT_FALSE(bool(copies->start_read(!half, at, memory + at, part)));
    copies->go(!half);
    // What is asked now is answered behind the copy.
    if (round % 3 == 0)
      heap.free(heap.allocate(SIZE, 256));
    ASSERT_FALSE(bool(copies->finish(!half))) << round;
    ASSERT_EQ(std::string(copies->data(!half), SIZE),
              std::string(SIZE, char(round)))
        << round;
  }
  EXPECT_LE(to.notified, 2u * ROUNDS);
  ours.close();
  launch_end.close();
  worker.join();
  peer.clean_up();
}

TEST(CopySlot, TakesARequestWhileTheWorkerPolls) {
  alignas(64) char memory[wire::CopySlot::SIZE] = {};
  wire::CopySlot client(memory), worker(memory);
  EXPECT_FALSE(client.post(7, "early"));
  EXPECT_FALSE(worker.take());
  worker.start_polling();
  EXPECT_TRUE(client.post(7, "one"));
  EXPECT_FALSE(client.post(8, "two")) << "it is full";
  std::optional<wire::Message> taken = worker.take();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->kind, 7u);
  EXPECT_EQ(taken->body, "one");
  EXPECT_FALSE(worker.take());
  EXPECT_FALSE(client.post(7, std::string(wire::CopySlot::ROOM + 1, 'x')));
  EXPECT_TRUE(client.post(7, std::string(wire::CopySlot::ROOM, 'x')));
  EXPECT_TRUE(worker.take());
  // What was posted before the end of polling is there after it.
  EXPECT_TRUE(client.post(9, ""));
  worker.stop_polling();
  EXPECT_TRUE(worker.take());
  EXPECT_FALSE(client.post(9, ""));
  // A hostile client's size is no more than there is room for.
  worker.start_polling();
  std::memset(memory + 64, 0xff, sizeof(memory) - 64);
  taken = worker.take();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->body.size(), wire::CopySlot::ROOM);
}

/// Each request is either taken from the slot or refused there, never both.
TEST(CopySlot, LosesNothingWhenPollingEnds) {
  alignas(64) char memory[wire::CopySlot::SIZE] = {};
  std::atomic<bool> ends = false;
  uint64_t taken = 0, posted = 0;
  std::thread polling([&] {
    wire::CopySlot worker(memory);
    auto look = [&] {
      if (std::optional<wire::Message> message = worker.take())
        taken += message->kind;
    };
    while (!ends) {
      worker.start_polling();
      for (unsigned i = 0; i < 300; ++i)
        look();
      worker.stop_polling();
      look();
    }
    look();
  });
  wire::CopySlot client(memory);
  constexpr unsigned ENOUGH = 100;
  unsigned count = 0;
  for (uint32_t i = 1; count < ENOUGH; ++i)
    if (client.post(i, "body")) {
      posted += i;
      ++count;
    } else if (i % 64 == 0) {
      std::this_thread::yield();
    }
  ends = true;
  polling.join();
  EXPECT_EQ(taken, posted);
}

} // namespace
