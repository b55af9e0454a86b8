//===-- lending/tests/lent_copies_test.cpp - Copies of a lent device ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A client and a worker in one process: the worker's device copies to and from
// memory that the client has mapped.
//===----------------------------------------------------------------------===//
#include "lending/client/device.h"
#include "lending/peer/lent_peer.h"
#include "loader/tests/fake_device.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>

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
    order.push_back(request);
    remote::Message message;
    message.kind = uint32_t(request);
    message.body = body.str();
    remote::Response reply;
    reply.carry = [&](DeviceAddress address, uint64_t size) {
      carried.emplace_back(address, size);
    };
    if (llvm::Error error = peer.carry_out(message, reply))
      return std::move(error);
    remote::Answer answer;
    answer.body = reply.body.bytes().str();
    for (int descriptor : reply.descriptors)
      answer.descriptors.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    return answer;
  }
  llvm::Expected<remote::Answer> ask_launch(llvm::StringRef body) override {
    return ask(remote::Request::launch, body, std::nullopt);
  }
  void kill() override {}
  const char *name() const override { return "the worker"; }
  bool shares_memory() const override { return !is_far; }
  std::map<remote::Request, unsigned> asked;
  std::vector<remote::Request> order; ///< of the same
  std::vector<std::pair<DeviceAddress, uint64_t>> carried;
  bool is_far = false;

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
  EXPECT_EQ(link.asked[remote::Request::copy_finish], 0u) << "end words";
  EXPECT_TRUE(link.carried.empty());
}

TEST_F(LentCopies, SeveralRangesGoWithOneRequest) {
  remote::RemoteDevice client(link, shared, facts());
  rpc::DeviceMemory &heap = client.heap();
  const DeviceAddress memory = heap.allocate(4096, 256);
  ASSERT_FALSE(bool(device.write(memory, "0123456789", 10)));
  std::unique_ptr<rpc::CopyBuffer> copies = heap.copy_buffer();
  ASSERT_TRUE(copies);
  for (unsigned i = 0; i < 10; ++i)
    EXPECT_FALSE(bool(copies->start_read(0, 9 - i, memory + i, 1)));
  copies->no_more(0);
  EXPECT_FALSE(bool(copies->finish(0)));
  EXPECT_EQ(std::string(copies->data(0), 10), "9876543210");
  EXPECT_EQ(link.asked[remote::Request::copy_read], 1u);
}

TEST_F(LentCopies, WithoutEndWordsOrAnEngineTheEndIsAskedFor) {
  for (bool has_engine : {true, false}) {
    FakeDevice other;
    other.has_end_words = false;
    other.has_copy_engine = has_engine;
    serve::HostMemory its_host(other);
    ASSERT_FALSE(bool(its_host.prepare()));
    serve::LentPeer its_peer(other, &its_host, UINT64_MAX);
    Loopback its_link(its_peer);
    remote::SharedMemory its_memory;
    remote::RemoteDevice client(its_link, its_memory, facts());
    const DeviceAddress memory = client.heap().allocate(4096, 256);
    std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
    ASSERT_TRUE(copies);
    std::memset(copies->data(1), 'x', 4096);
    EXPECT_FALSE(bool(copies->start_write(1, memory, 4096)));
    EXPECT_FALSE(bool(copies->finish(1)));
    EXPECT_EQ(its_link.asked[remote::Request::copy_finish], 1u) << has_engine;
    std::string there(4096, ' ');
    EXPECT_FALSE(bool(other.read(there.data(), memory, 4096)));
    EXPECT_EQ(there, std::string(4096, 'x')) << has_engine;
    copies.reset();
    its_peer.clean_up();
  }
}

/// A copy that has failed has no end word: the client asks and is told.
TEST_F(LentCopies, AnErrorOfTheDeviceIsTold) {
  remote::RemoteDevice client(link, shared, facts());
  const DeviceAddress memory = client.heap().allocate(4096, 256);
  std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
  ASSERT_TRUE(copies);
  EXPECT_FALSE(bool(copies->start_read(0, 0, memory, 4096)));
  device.free(memory); // meanwhile
  EXPECT_TRUE(llvm::errorToBool(copies->finish(0)));
  EXPECT_FALSE(bool(copies->finish(0))) << "told once";
}

TEST_F(LentCopies, OfAnotherMachineAreCarried) {
  using remote::Request;
  link.is_far = true;
  peer.serve_far(std::nullopt);
  remote::RemoteDevice client(link, shared, facts());
  constexpr uint64_t SIZE = 1000000;
  const DeviceAddress memory = client.heap().allocate(SIZE, 256);
  std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
  ASSERT_TRUE(copies);
  std::memset(copies->data(1), 'x', SIZE);
  link.order.clear();
  EXPECT_FALSE(bool(copies->start_write(1, memory, SIZE)));
  EXPECT_FALSE(bool(copies->finish(1)));
  ASSERT_EQ(link.order.size(), 2u);
  EXPECT_EQ(link.order[0], Request::carry) << "the bytes go first";
  EXPECT_EQ(link.order[1], Request::copy_write);
  EXPECT_TRUE(link.carried.empty());
  // All that is read is carried, the first part before the last was copied.
  EXPECT_FALSE(bool(copies->start_read(0, 10, memory, SIZE)));
  EXPECT_FALSE(bool(copies->finish(0)));
  EXPECT_EQ(std::string(copies->data(0) + 10, SIZE), std::string(SIZE, 'x'));
  ASSERT_GT(link.carried.size(), 1u);
  DeviceAddress at = link.carried[0].first;
  for (auto [address, size] : link.carried) {
    EXPECT_EQ(address, at);
    at = address + size;
  }
  EXPECT_EQ(at - link.carried[0].first, SIZE);
  EXPECT_EQ(link.asked[Request::copy_finish], 0u);
  // An error is one of this copy.
  EXPECT_FALSE(bool(copies->start_read(0, 0, memory, 1)));
  device.free(memory);
  EXPECT_TRUE(llvm::errorToBool(copies->finish(0)));
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

/// A program's kernels, its status and the address of that take two requests.
TEST_F(LentCopies, KernelsAndWhatTheyLeaveTakeOneRequest) {
  using remote::Request;
  constexpr char PTX[] = ".version 7.8\n.target sm_70\n.address_size 64\n"
                         ".visible .entry one(.param .u64 a) { ret; }\n";
  llvm::Expected<Image> image =
      Image::parse(llvm::MemoryBufferRef(PTX, "test.ptx"));
  ASSERT_TRUE(bool(image));
  device.facts.target_id = "sm_90";
  remote::Writer sent;
  sent.text("test.ptx").put(uint64_t(sizeof(PTX))).text({PTX, sizeof(PTX)});
  ASSERT_TRUE(bool(link.ask(Request::image, sent.bytes(), std::nullopt)));
  remote::RemoteDevice client(link, shared, facts());
  llvm::Expected<std::unique_ptr<Module>> module = client.load(*image, {});
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  llvm::Expected<DeviceAddress> status = client.allocate_device(4),
                                other = client.allocate_device(4);
  ASSERT_TRUE(bool(status) && bool(other));
  EXPECT_NE(*status, *other);
  EXPECT_EQ(link.asked[Request::allocate_device], 1u) << "of the other";
  client.will_read(*status, 4);
  auto read = [&](DeviceAddress from) {
    uint32_t word = 77;
    EXPECT_FALSE(llvm::errorToBool(client.copy_from_device(
        {reinterpret_cast<std::byte *>(&word), sizeof(word)}, from)));
    return word;
  };
  auto run = [&](size_t count) {
    const llvm::ArrayRef<std::byte> arguments(
        reinterpret_cast<const std::byte *>(&*status), sizeof(*status));
    return client.launch(
        **module, std::vector(count, KernelLaunch{&image->kernels().front(),
                                                  Grid(), arguments}));
  };
  EXPECT_FALSE(llvm::errorToBool(run(3)));
  EXPECT_EQ(client.ended(), 3u);
  EXPECT_EQ(read(*status), 3u);
  EXPECT_EQ(link.asked[Request::launch], 1u);
  EXPECT_EQ(link.asked[Request::read], 0u);
  EXPECT_EQ(read(*other), 0u);
  EXPECT_EQ(link.asked[Request::read], 1u) << "nobody had said so";
  // What is written counts from then on.
  const uint32_t seven = 7;
  EXPECT_FALSE(llvm::errorToBool(client.copy_to_device(
      *status, {reinterpret_cast<const std::byte *>(&seven), 4})));
  EXPECT_EQ(read(*status), 7u);
  // More than one request takes.
  EXPECT_FALSE(llvm::errorToBool(run(2 * remote::MOST_LAUNCHES + 1)));
  EXPECT_EQ(read(*status), 3 + 2 * remote::MOST_LAUNCHES + 1);
  EXPECT_EQ(link.asked[Request::launch], 4u);
  // Nonsense.
  for (uint32_t count : {0u, 5u, UINT32_MAX}) {
    remote::Writer body;
    body.put(count).put(0u).put(Grid()).text("").put(0u);
    EXPECT_TRUE(llvm::errorToBool(link.ask_launch(body.bytes()).takeError()));
  }
  remote::Writer body;
  body.put(1u).put(0u).put(Grid()).text("12345678");
  body.put(1u).put(DeviceAddress(8)).put(uint64_t(4));
  EXPECT_TRUE(llvm::errorToBool(link.ask_launch(body.bytes()).takeError()))
      << "not the client's to read";
}

/// Whatever is allocated for a client counts: on the device, on its heap, host
/// memory, the image.
TEST_F(LentCopies, TheSessionsMemoryHasALimit) {
  using remote::Request;
  using remote::Writer;
  constexpr uint64_t MIB = 1 << 20;
  serve::LentPeer limited(device, &host, 8 * MIB);
  Loopback its_link(limited);
  auto why_not = [&](Request request, uint64_t size) {
    return llvm::toString(
        its_link.ask(request, Writer().put(size).bytes(), std::nullopt)
            .takeError());
  };
  const uint64_t most = limited.most_of_session(8 * MIB);
  EXPECT_NE(
      why_not(Request::allocate_device, 2048 * MIB).find("--memory-limit"),
      std::string::npos);
  EXPECT_EQ(why_not(Request::allocate_host, most - 2 * MIB), "");
  EXPECT_NE(why_not(Request::allocate_host, 3 * MIB).find("--memory-limit"),
            std::string::npos);
  Writer image;
  image.text("x").put(3 * MIB).text("");
  EXPECT_TRUE(llvm::errorToBool(
      its_link.ask(Request::image, image.bytes(), std::nullopt).takeError()));
  // Small ones count as pages; what is freed can be had again.
  auto allocate = [&] {
    Writer body;
    body.put(uint64_t(1)).put(uint64_t(16));
    auto answer =
        llvm::cantFail(its_link.ask(Request::heap_allocate, body.bytes(), {}));
    return remote::Reader(answer.body).take<DeviceAddress>();
  };
  std::vector<DeviceAddress> pieces;
  EXPECT_EQ(why_not(Request::allocate_host, 2 * MIB - 2 * 4096), "");
  for (DeviceAddress piece; (piece = allocate());)
    pieces.push_back(piece);
  EXPECT_EQ(pieces.size(), 2u);
  EXPECT_NE(why_not(Request::allocate_device, 1), "");
  llvm::cantFail(its_link.ask(Request::heap_free,
                              Writer().put(pieces[0]).bytes(), std::nullopt));
  EXPECT_TRUE(bool(allocate()));
  EXPECT_FALSE(bool(allocate()));
}

/// Who announces a message does not get its memory before its bytes are there,
/// and who has not borrowed a device has no large ones to send.
TEST(Channel, TakesNoLargerMessagesThanItsLimit) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  UniqueFd one(ends[0]), other(ends[1]);
  remote::Channel from(one.get()), to(other.get());
  to.limit_messages(1000);
  ASSERT_TRUE(from.send(1, std::string(1000, 'a')));
  ASSERT_TRUE(from.send(2, std::string(1001, 'b')));
  std::optional<remote::Message> message = to.receive();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->body, std::string(1000, 'a'));
  EXPECT_FALSE(to.receive().has_value());
}

TEST(Channel, ReceivesALargeMessageInPieces) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  UniqueFd one(ends[0]), other(ends[1]);
  std::string body(3 << 20, 'a');
  body.back() = 'b';
  std::thread sender([&] { remote::Channel(one.get()).send(1, body); });
  std::optional<remote::Message> message =
      remote::Channel(other.get()).receive();
  sender.join();
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(message->body == body);
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
  // What has no reply is told with the end.
  auto fails = [&](Request request, const Writer &body) {
    return !refuses(request, body) &&
           refuses(Request::copy_finish, Writer().put(0u));
  };
  EXPECT_TRUE(refuses(Request::copy_read, copy(0, 0, 1))) << "not opened";
  EXPECT_TRUE(refuses(Request::copy_finish, Writer().put(0u)));
  const DeviceAddress first = host.first().begin;
  for (uint64_t half : {uint64_t(0), uint64_t(64), UINT64_MAX})
    EXPECT_TRUE(refuses(Request::copies, Writer().put(first).put(half)))
        << "memory of the mailbox, " << half;
  llvm::Expected<serve::HostMemory::Piece> piece =
      host.allocate(rpc::copy_memory_size(4096));
  ASSERT_TRUE(bool(piece));
  for (uint64_t half : {uint64_t(4096 + 64), uint64_t(4095), uint64_t(1) << 40})
    EXPECT_TRUE(
        refuses(Request::copies, Writer().put(piece->address).put(half)))
        << half;
  ASSERT_FALSE(refuses(Request::copies,
                       Writer().put(piece->address).put(uint64_t(4096))));
  EXPECT_TRUE(refuses(Request::copies,
                      Writer().put(piece->address).put(uint64_t(4096))))
      << "twice";
  EXPECT_TRUE(refuses(Request::copy_read, copy(2, 0, 1))) << "no such half";
  EXPECT_TRUE(fails(Request::copy_read, copy(0, 4096, 1)));
  EXPECT_TRUE(fails(Request::copy_read, copy(0, 1, UINT64_MAX)));
  EXPECT_TRUE(fails(Request::copy_read, copy(0, 0, 0)));
  EXPECT_TRUE(fails(Request::copy_read, Writer().put(0u).put(uint8_t(1))));
  EXPECT_TRUE(fails(Request::copy_read, copy(0, 0, 64))) << "no memory there";
  EXPECT_TRUE(
      fails(Request::copy_write,
            Writer().put(0u).put(DeviceAddress(8)).put(uint64_t(4097))));
  EXPECT_TRUE(refuses(Request::copy_finish, Writer().put(2u)));
  EXPECT_FALSE(refuses(Request::copy_finish, Writer().put(0u)));
}

} // namespace
