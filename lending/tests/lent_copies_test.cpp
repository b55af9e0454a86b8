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
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>

using namespace gpuexec;

namespace {

/// What is asked reaches the worker's side at once.
class Loopback final : public wire::Link {
public:
  explicit Loopback(lending::LentPeer &peer) : peer(peer) {}
  void kill() override {}
  const char *name() const override { return "the worker"; }
  bool shares_memory() const override { return !is_far; }
  llvm::Error ask_raw(uint32_t kind, llvm::StringRef body) {
    return exchange(kind, body, std::nullopt).takeError();
  }
  std::map<uint32_t, unsigned> asked; ///< by kind
  std::vector<uint32_t> order;        ///< of the same
  std::vector<std::pair<DeviceAddress, uint64_t>> carried;
  bool is_far = false;

private:
  llvm::Expected<wire::Answer> exchange(uint32_t kind, llvm::StringRef body,
                                        Limit) override {
    ++asked[kind];
    order.push_back(kind);
    wire::Message message;
    message.kind = kind;
    message.body = body.str();
    lending::Response response;
    response.carry = [&](DeviceAddress address, uint64_t size) {
      carried.emplace_back(address, size);
    };
    if (llvm::Error error = peer.carry_out(message, response))
      return std::move(error);
    wire::Answer answer;
    answer.body = std::move(response.body);
    if (response.part)
      answer.part = wire::SharedPart{
          response.part->place,
          UniqueFd(::fcntl(response.part->file, F_DUPFD_CLOEXEC, 0))};
    return answer;
  }
  llvm::Expected<wire::Answer> exchange_launch(llvm::StringRef body) override {
    return exchange(wire::Launch::KIND, body, std::nullopt);
  }
  /// As if a relay had taken it.
  void notify_bytes(uint32_t kind, llvm::StringRef body) override {
    if (kind == wire::Carry::KIND)
      order.push_back(kind);
    else
      Link::notify_bytes(kind, body);
  }
  lending::LentPeer &peer;
};

struct LentCopies : testing::Test {
  static wire::Facts facts() {
    wire::Facts facts;
    facts.all_is_shared = false;
    return facts;
  }
  FakeDevice device;
  lending::HostMemory host{device};
  lending::LentPeer peer{device, &host, UINT64_MAX};
  Loopback link{peer};
  wire::SharedMemory shared;
  void SetUp() override { ASSERT_FALSE(bool(host.prepare())); }
  void TearDown() override { peer.clean_up(); }
};

TEST_F(LentCopies, GoThroughMemoryOfBoth) {
  lending::RemoteDevice client(link, shared, facts());
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
  EXPECT_EQ(link.asked[wire::UseCopies::KIND], 1u);
  EXPECT_EQ(link.asked[wire::HeapRead::KIND], 0u);
  EXPECT_EQ(link.asked[wire::CopyFinish::KIND], 0u) << "end words";
  EXPECT_TRUE(link.carried.empty());
}

TEST_F(LentCopies, SeveralRangesGoWithOneRequest) {
  lending::RemoteDevice client(link, shared, facts());
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
  EXPECT_EQ(link.asked[wire::CopyRead::KIND], 1u);
}

TEST_F(LentCopies, WithoutEndWordsOrAnEngineTheEndIsAskedFor) {
  for (bool has_engine : {true, false}) {
    FakeDevice other;
    other.has_end_words = false;
    other.has_copy_engine = has_engine;
    lending::HostMemory its_host(other);
    ASSERT_FALSE(bool(its_host.prepare()));
    lending::LentPeer its_peer(other, &its_host, UINT64_MAX);
    Loopback its_link(its_peer);
    wire::SharedMemory its_memory;
    lending::RemoteDevice client(its_link, its_memory, facts());
    const DeviceAddress memory = client.heap().allocate(4096, 256);
    std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
    ASSERT_TRUE(copies);
    std::memset(copies->data(1), 'x', 4096);
    EXPECT_FALSE(bool(copies->start_write(1, memory, 4096)));
    EXPECT_FALSE(bool(copies->finish(1)));
    EXPECT_EQ(its_link.asked[wire::CopyFinish::KIND], 1u) << has_engine;
    std::string there(4096, ' ');
    EXPECT_FALSE(bool(other.read(there.data(), memory, 4096)));
    EXPECT_EQ(there, std::string(4096, 'x')) << has_engine;
    copies.reset();
    its_peer.clean_up();
  }
}

/// A copy that has failed has no end word: the client asks and is told.
TEST_F(LentCopies, AnErrorOfTheDeviceIsTold) {
  lending::RemoteDevice client(link, shared, facts());
  const DeviceAddress memory = client.heap().allocate(4096, 256);
  std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
  ASSERT_TRUE(copies);
  EXPECT_FALSE(bool(copies->start_read(0, 0, memory, 4096)));
  device.free(memory); // meanwhile
  EXPECT_TRUE(llvm::errorToBool(copies->finish(0)));
  EXPECT_FALSE(bool(copies->finish(0))) << "told once";
}

TEST_F(LentCopies, OfAnotherMachineAreCarried) {
  link.is_far = true;
  peer.serve_far(std::nullopt);
  lending::RemoteDevice client(link, shared, facts());
  constexpr uint64_t SIZE = 1000000;
  const DeviceAddress memory = client.heap().allocate(SIZE, 256);
  std::unique_ptr<rpc::CopyBuffer> copies = client.heap().copy_buffer();
  ASSERT_TRUE(copies);
  std::memset(copies->data(1), 'x', SIZE);
  link.order.clear();
  EXPECT_FALSE(bool(copies->start_write(1, memory, SIZE)));
  EXPECT_FALSE(bool(copies->finish(1)));
  ASSERT_EQ(link.order.size(), 2u);
  EXPECT_EQ(link.order[0], wire::Carry::KIND) << "the bytes go first";
  EXPECT_EQ(link.order[1], wire::CopyWrite::KIND);
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
  EXPECT_EQ(link.asked[wire::CopyFinish::KIND], 0u);
  // An error is one of this copy.
  EXPECT_FALSE(bool(copies->start_read(0, 0, memory, 1)));
  device.free(memory);
  EXPECT_TRUE(llvm::errorToBool(copies->finish(0)));
}

TEST_F(LentCopies, NonsenseIsRefusedBeforeAnythingIsCopied) {
  lending::RemoteDevice client(link, shared, facts());
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
  EXPECT_EQ(link.asked[wire::CopyFinish::KIND], 0u);
}

/// A program's kernels, its status and the address of that take two requests.
TEST_F(LentCopies, KernelsAndWhatTheyLeaveTakeOneRequest) {
  constexpr char PTX[] = ".version 7.8\n.target sm_70\n.address_size 64\n"
                         ".visible .entry one(.param .u64 a) { ret; }\n";
  llvm::Expected<Image> image =
      Image::parse(llvm::MemoryBufferRef(PTX, "test.ptx"));
  ASSERT_TRUE(bool(image));
  device.facts.target_id = "sm_90";
  ASSERT_FALSE(llvm::errorToBool(
      link.ask(wire::SendImage{"test.ptx", sizeof(PTX), {PTX, sizeof(PTX)}})
          .takeError()));
  lending::RemoteDevice client(link, shared, facts());
  llvm::Expected<std::unique_ptr<Module>> module = client.load(*image, {});
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  llvm::Expected<DeviceAddress> status = client.allocate_device(4),
                                other = client.allocate_device(4);
  ASSERT_TRUE(bool(status) && bool(other));
  EXPECT_NE(*status, *other);
  EXPECT_EQ(link.asked[wire::AllocateDevice::KIND], 1u) << "of the other";
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
  EXPECT_EQ(link.asked[wire::Launch::KIND], 1u);
  EXPECT_EQ(link.asked[wire::Read::KIND], 0u);
  EXPECT_EQ(read(*other), 0u);
  EXPECT_EQ(link.asked[wire::Read::KIND], 1u) << "nobody had said so";
  // What is written counts from then on.
  const uint32_t seven = 7;
  EXPECT_FALSE(llvm::errorToBool(client.copy_to_device(
      *status, {reinterpret_cast<const std::byte *>(&seven), 4})));
  EXPECT_EQ(read(*status), 7u);
  // More than one request takes.
  EXPECT_FALSE(llvm::errorToBool(run(2 * wire::MOST_LAUNCHES + 1)));
  EXPECT_EQ(read(*status), 3 + 2 * wire::MOST_LAUNCHES + 1);
  EXPECT_EQ(link.asked[wire::Launch::KIND], 4u);
  // Nonsense.
  auto refuses = [&](const wire::Launch &request) {
    return llvm::errorToBool(link.launch(request).takeError());
  };
  EXPECT_TRUE(refuses({})) << "no kernel";
  EXPECT_TRUE(refuses({{{5, Grid(), {}}}, {}})) << "no such kernel";
  EXPECT_TRUE(refuses({{wire::MOST_LAUNCHES + 1, {0, Grid(), "12345678"}}, {}}))
      << "too many";
  EXPECT_TRUE(refuses({{{0, Grid(), "12345678"}}, {{DeviceAddress(8), 4}}}))
      << "not the client's to read";
}

/// Whatever is allocated for a client counts: on the device, on its heap, host
/// memory, the image.
TEST_F(LentCopies, TheSessionsMemoryHasALimit) {
  constexpr uint64_t MIB = 1 << 20;
  lending::LentPeer limited(device, &host, 8 * MIB);
  Loopback its_link(limited);
  auto why_not = [&](const auto &request) {
    return llvm::toString(its_link.ask(request).takeError());
  };
  const uint64_t most = limited.most_of_session(8 * MIB);
  EXPECT_NE(why_not(wire::AllocateDevice{2048 * MIB}).find("--memory-limit"),
            std::string::npos);
  EXPECT_EQ(why_not(wire::AllocateHost{most - 2 * MIB}), "");
  EXPECT_NE(why_not(wire::AllocateHost{3 * MIB}).find("--memory-limit"),
            std::string::npos);
  EXPECT_NE(why_not(wire::SendImage{"x", 3 * MIB, ""}), "");
  // Small ones count as pages; what is freed can be had again.
  auto allocate = [&] {
    return llvm::cantFail(its_link.ask(wire::HeapAllocate{1, 16})).address;
  };
  std::vector<DeviceAddress> pieces;
  EXPECT_EQ(why_not(wire::AllocateHost{2 * MIB - 2 * 4096}), "");
  for (DeviceAddress piece; (piece = allocate());)
    pieces.push_back(piece);
  EXPECT_EQ(pieces.size(), 2u);
  EXPECT_NE(why_not(wire::AllocateDevice{1}), "");
  llvm::cantFail(its_link.ask(wire::HeapFree{pieces[0]}));
  EXPECT_TRUE(bool(allocate()));
  EXPECT_FALSE(bool(allocate()));
}

/// On one machine the image comes in a file, of which the client must have
/// given up all rights to change it.
TEST_F(LentCopies, AnImageInAFileIsTakenOnlyWhenItCannotChange) {
  constexpr char PTX[] = ".version 7.8\n.target sm_70\n.address_size 64\n"
                         ".visible .entry one(.param .u64 a) { ret; }\n";
  const llvm::StringRef text(PTX);
  device.facts.target_id = "sm_90";
  auto why_not = [&](UniqueFd file, uint64_t size, llvm::StringRef bytes = {}) {
    lending::LentPeer fresh(device, &host, UINT64_MAX);
    wire::Message message;
    message.kind = wire::SendImage::KIND;
    message.body = wire::encode(wire::SendImage{"test.ptx", size, bytes});
    message.descriptors.push_back(std::move(file));
    lending::Response response;
    std::string why = llvm::toString(fresh.carry_out(message, response));
    message.kind = wire::ImageBytes::KIND;
    message.body = wire::encode(wire::ImageBytes{"x"});
    message.descriptors.clear();
    lending::Response none;
    EXPECT_TRUE(llvm::errorToBool(fresh.carry_out(message, none)));
    return why;
  };
  auto unsealed = [&](llvm::StringRef bytes, int seals) {
    UniqueFd file(::memfd_create("image", MFD_ALLOW_SEALING));
    EXPECT_EQ(write_all(file.get(), bytes), 0);
    EXPECT_EQ(::fcntl(file.get(), F_ADD_SEALS, seals), 0);
    return file;
  };
  const uint64_t size = text.size();
  const llvm::StringRef with_zero(PTX, sizeof(PTX));
  constexpr int ALL = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
  EXPECT_EQ(why_not(wire::sealed_file("image", text), size), "");
  EXPECT_EQ(why_not(unsealed(with_zero, ALL), size), "");
  for (int missing : {F_SEAL_WRITE, F_SEAL_SHRINK, F_SEAL_GROW})
    EXPECT_NE(why_not(unsealed(with_zero, ALL & ~missing), size), "")
        << missing;
  EXPECT_NE(why_not(wire::sealed_file("image", text), size - 1), "");
  EXPECT_NE(why_not(wire::sealed_file("image", text), size + 1), "");
  EXPECT_NE(why_not(wire::sealed_file("image", text), size, "x"), "");
  EXPECT_NE(why_not(unsealed(text, ALL), size - 1), "") << "no zero";
  EXPECT_NE(why_not(UniqueFd(::open("/dev/zero", O_RDONLY)), size), "");
}

/// Who announces a message does not get its memory before its bytes are there,
/// and who has not borrowed a device has no large ones to send.
TEST(Channel, TakesNoLargerMessagesThanItsLimit) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  UniqueFd one(ends[0]), other(ends[1]);
  wire::Channel from(one.get()), to(other.get());
  to.limit_messages(1000);
  ASSERT_TRUE(from.send(1, std::string(1000, 'a')));
  ASSERT_TRUE(from.send(2, std::string(1001, 'b')));
  std::optional<wire::Message> message = to.receive();
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
  std::thread sender([&] { wire::Channel(one.get()).send(1, body); });
  std::optional<wire::Message> message = wire::Channel(other.get()).receive();
  sender.join();
  ASSERT_TRUE(message.has_value());
  EXPECT_TRUE(message->body == body);
}

TEST_F(LentCopies, AHostileClientGetsErrors) {
  auto refuses = [&](const auto &request) {
    return llvm::errorToBool(link.ask(request).takeError());
  };
  auto copy = [](uint32_t half, uint64_t offset, uint64_t size) {
    return wire::CopyRead{half, {{offset, DeviceAddress(8), size}}};
  };
  // What has no reply is told with the end.
  auto fails = [&](const auto &request) {
    return !refuses(request) && refuses(wire::CopyFinish{0});
  };
  EXPECT_TRUE(refuses(copy(0, 0, 1))) << "not opened";
  EXPECT_TRUE(refuses(wire::CopyFinish{0}));
  const DeviceAddress first = host.first().begin;
  for (uint64_t half : {uint64_t(0), uint64_t(64), UINT64_MAX})
    EXPECT_TRUE(refuses(wire::UseCopies{first, half}))
        << "memory of the mailbox, " << half;
  llvm::Expected<lending::HostMemory::Piece> piece =
      host.allocate(wire::copies_size(4096));
  ASSERT_TRUE(bool(piece));
  for (uint64_t half : {uint64_t(4096 + 64), uint64_t(4095), uint64_t(1) << 40})
    EXPECT_TRUE(refuses(wire::UseCopies{piece->address, half})) << half;
  ASSERT_FALSE(refuses(wire::UseCopies{piece->address, 4096}));
  EXPECT_TRUE(refuses(wire::UseCopies{piece->address, 4096})) << "twice";
  EXPECT_TRUE(refuses(copy(2, 0, 1))) << "no such half";
  EXPECT_TRUE(fails(copy(0, 4096, 1)));
  EXPECT_TRUE(fails(copy(0, 1, UINT64_MAX)));
  EXPECT_TRUE(fails(copy(0, 0, 0)));
  EXPECT_TRUE(llvm::errorToBool(
      link.ask_raw(wire::CopyRead::KIND, std::string(9, '\0'))))
      << "half a part";
  EXPECT_TRUE(fails(copy(0, 0, 64))) << "no memory there";
  EXPECT_TRUE(fails(wire::CopyWrite{0, DeviceAddress(8), 4097}));
  EXPECT_TRUE(refuses(wire::CopyFinish{2}));
  EXPECT_FALSE(refuses(wire::CopyFinish{0}));
}

} // namespace
