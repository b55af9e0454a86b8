//===-- loader/tests/lent_copies_test.cpp - Copies of a lent device -------===//
// A client and a worker in one process: the worker's device copies to and from
// memory that the client has mapped.
//===----------------------------------------------------------------------===//
#include "loader/device/remote/device.h"
#include "loader/serve/lent_peer.h"
#include "loader/tests/fake_device.h"
#include <fcntl.h>
#include <gtest/gtest.h>

using namespace gpuexec;

namespace {

/// What is asked reaches the worker's side at once.
class Loopback final : public remote::Link {
public:
  explicit Loopback(serve::LentPeer &peer) : peer(peer) {}
  llvm::Expected<remote::Answer>
  ask(remote::Request request, llvm::StringRef body,
      std::optional<std::chrono::milliseconds>) override {
    ++asked[request];
    remote::Message message;
    message.kind = uint32_t(request);
    message.body = body.str();
    remote::Response reply;
    if (llvm::Error error = peer.carry_out(message, reply))
      return std::move(error);
    remote::Answer answer;
    answer.body = reply.body.bytes().str();
    for (int descriptor : reply.descriptors)
      answer.descriptors.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    return answer;
  }
  llvm::Expected<remote::Answer> ask_launch(llvm::StringRef) override {
    return failure(Reason::failed, "nothing runs");
  }
  void kill() override {}
  const char *name() const override { return "the worker"; }
  std::map<remote::Request, unsigned> asked;

private:
  serve::LentPeer &peer;
};

struct LentCopies : testing::Test {
  static remote::Facts facts() {
    remote::Facts facts;
    facts.all_is_shared = false;
    return facts;
  }
  FakeDevice device;
  serve::HostMemory host{device};
  serve::LentPeer peer{device, &host, UINT64_MAX};
  Loopback link{peer};
  remote::SharedMemory shared;
  void SetUp() override { ASSERT_FALSE(bool(host.prepare())); }
  void TearDown() override { peer.clean_up(); }
};

TEST_F(LentCopies, GoThroughMemoryOfBoth) {
  remote::RemoteDevice client(link, shared, facts());
  rpc::DeviceMemory &heap = client.heap();
  constexpr uint64_t SIZE = 1 << 20;
  const DeviceAddress memory = heap.allocate(SIZE, 256);
  ASSERT_TRUE(memory);
  for (int round = 0; round < 3; ++round) {
    std::unique_ptr<rpc::CopyBuffer> copies = heap.copy_buffer();
    ASSERT_TRUE(copies);
    EXPECT_FALSE(heap.copy_buffer()) << "one at a time";
    std::memset(copies->data(0), 'a' + round, SIZE);
    EXPECT_FALSE(bool(copies->start_write(0, memory, SIZE)));
    EXPECT_FALSE(bool(copies->finish(0)));
    EXPECT_FALSE(bool(copies->start_read(1, 100, memory + 7, 1000)));
    EXPECT_FALSE(bool(copies->finish(1)));
    EXPECT_EQ(std::string(copies->data(1) + 100, 1000),
              std::string(1000, char('a' + round)));
    std::string there(16, ' ');
    EXPECT_FALSE(bool(device.read(there.data(), memory, there.size())));
    EXPECT_EQ(there, std::string(16, char('a' + round)));
  }
  EXPECT_EQ(link.asked[remote::Request::copies], 1u);
  EXPECT_EQ(link.asked[remote::Request::heap_read], 0u);
}

TEST_F(LentCopies, NonsenseIsRefusedBeforeAnythingIsCopied) {
  remote::RemoteDevice client(link, shared, facts());
  rpc::DeviceMemory &heap = client.heap();
  const DeviceAddress memory = heap.allocate(4096, 256);
  std::unique_ptr<rpc::CopyBuffer> copies = heap.copy_buffer();
  ASSERT_TRUE(copies);
  for (auto [address, size] :
       {std::pair(DeviceAddress(8), 64), {memory + 4090, 7}}) {
    EXPECT_TRUE(llvm::errorToBool(copies->start_read(0, 0, address, size)));
    EXPECT_TRUE(llvm::errorToBool(copies->start_write(0, address, size)));
  }
  EXPECT_FALSE(bool(copies->finish(0)));
  EXPECT_EQ(link.asked[remote::Request::copy_finish], 0u);
}

TEST_F(LentCopies, AHostileClientGetsErrors) {
  using remote::Request;
  using remote::Writer;
  auto refuses = [&](Request request, const Writer &body) {
    llvm::Expected<remote::Answer> answer =
        link.ask(request, body.bytes(), std::nullopt);
    if (answer)
      return false;
    llvm::consumeError(answer.takeError());
    return true;
  };
  auto copy = [](uint32_t half, uint64_t offset, uint64_t size) {
    return Writer().put(half).put(offset).put(DeviceAddress(8)).put(size);
  };
  EXPECT_TRUE(refuses(Request::copy_read, copy(0, 0, 1))) << "not opened";
  EXPECT_TRUE(refuses(Request::copy_finish, Writer().put(0u)));
  const DeviceAddress first = host.first().begin;
  for (uint64_t half : {uint64_t(0), uint64_t(64), UINT64_MAX})
    EXPECT_TRUE(refuses(Request::copies, Writer().put(first).put(half)))
        << "memory of the mailbox, " << half;
  llvm::Expected<serve::HostMemory::Piece> piece = host.allocate(8192);
  ASSERT_TRUE(bool(piece));
  EXPECT_TRUE(refuses(Request::copies,
                      Writer().put(piece->address).put(uint64_t(4097))));
  ASSERT_FALSE(refuses(Request::copies,
                       Writer().put(piece->address).put(uint64_t(4096))));
  EXPECT_TRUE(refuses(Request::copies,
                      Writer().put(piece->address).put(uint64_t(4096))))
      << "twice";
  EXPECT_TRUE(refuses(Request::copy_read, copy(2, 0, 1))) << "no such half";
  EXPECT_TRUE(refuses(Request::copy_read, copy(0, 4096, 1)));
  EXPECT_TRUE(refuses(Request::copy_read, copy(0, 1, UINT64_MAX)));
  EXPECT_TRUE(refuses(Request::copy_read, copy(0, 0, 64))) << "no memory there";
  EXPECT_TRUE(
      refuses(Request::copy_write,
              Writer().put(0u).put(DeviceAddress(8)).put(uint64_t(4097))));
  EXPECT_TRUE(refuses(Request::copy_finish, Writer().put(2u)));
}

} // namespace
