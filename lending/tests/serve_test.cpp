//===-- lending/tests/serve_test.cpp - Parts of the server ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/host_memory.h"
#include "lending/server/arrivals.h"
#include "lending/server/listener.h"
#include "lending/server/pool.h"
#include "lending/server/settings.h"
#include "lending/wire/session.h"
#include "loader/tests/fake_device.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

using namespace gpuexec;
using namespace gpuexec::serve;
using lending::HostMemory;
using testing::HasSubstr;

namespace {

template <typename T> std::string error_of(llvm::Expected<T> result) {
  return result ? "no error" : llvm::toString(result.takeError());
}

TEST(Protocol, AGreetingArrivesAsItWasSent) {
  DeviceInfo info;
  info.backend = "cuda";
  info.index = 3;
  info.name = "GPU\nwith two lines";
  info.target_id = "sm_90";
  info.memory = 1ull << 40;
  info.units = 132;
  info.units_name = "multiprocessors";
  info.reaches_host_memory = true;
  const wire::Greeting greeting{
      wire::MAGIC, wire::VERSION, "GPUEXEC_EMULATOR_JIT=off\n", {info, info}};
  const std::string body = wire::encode(greeting);
  llvm::Expected<wire::Greeting> taken = wire::take_greeting(body);
  ASSERT_TRUE(bool(taken)) << llvm::toString(taken.takeError());
  EXPECT_EQ(taken->variables, greeting.variables);
  ASSERT_EQ(taken->devices.size(), 2u);
  const DeviceInfo &got = taken->devices[1];
  EXPECT_EQ(got.spec(), "cuda:3");
  EXPECT_EQ(got.name, "GPU\nwith two lines");
  EXPECT_EQ(got.memory, info.memory);
  EXPECT_STREQ(got.units_name, "multiprocessors");
  EXPECT_TRUE(got.reaches_host_memory);
}

TEST(Protocol, OtherVersionsAndNonsenseAreNamed) {
  EXPECT_THAT(error_of(wire::take_greeting("")), HasSubstr("no server"));
  EXPECT_THAT(error_of(wire::take_greeting("GET / HTTP/1.1")),
              HasSubstr("no server"));
  wire::Greeting greeting{wire::MAGIC, wire::VERSION + 1, "", {}};
  EXPECT_THAT(error_of(wire::take_greeting(wire::encode(greeting))),
              HasSubstr("another version"));
  greeting = {wire::MAGIC, wire::VERSION, "",
              std::vector<DeviceInfo>(wire::MOST_DEVICES + 1)};
  EXPECT_THAT(error_of(wire::take_greeting(wire::encode(greeting))),
              HasSubstr("makes no sense"));
  const std::string wish =
      wire::encode(wire::Borrow{wire::VERSION, true, false, true, false, {1, 2}});
  llvm::Expected<wire::Borrow> taken = wire::take_borrow(wish);
  ASSERT_TRUE(bool(taken));
  EXPECT_TRUE(taken->fault_report);
  EXPECT_FALSE(taken->isolate);
  EXPECT_THAT(taken->devices, testing::ElementsAre(1, 2));
  EXPECT_NE(error_of(wire::take_borrow(llvm::StringRef(wish).drop_back())),
            "no error");
  EXPECT_NE(error_of(wire::take_borrow("")), "no error");
}

/// The smallest body that has each list, text and number at its limit.
template <typename T> bool arrives(const T &message) {
  return wire::decode<T>(wire::encode(message)).has_value();
}

TEST(Protocol, NothingAboveItsLimitIsTaken) {
  EXPECT_TRUE(arrives(wire::Read{{}, wire::LARGEST_SOCKET_COPY}));
  EXPECT_FALSE(arrives(wire::Read{{}, wire::LARGEST_SOCKET_COPY + 1}));
  EXPECT_TRUE(arrives(wire::CopyFinish{1}));
  EXPECT_FALSE(arrives(wire::CopyFinish{2}));
  wire::Load load;
  load.names.resize(wire::MOST_NAMES);
  EXPECT_TRUE(arrives(load));
  load.names.emplace_back();
  EXPECT_FALSE(arrives(load));
  wire::Launch launch;
  launch.awaited.push_back({{}, Queue::LARGEST_AWAITED});
  EXPECT_TRUE(arrives(launch));
  launch.awaited[0].size = Queue::LARGEST_AWAITED + 1;
  EXPECT_FALSE(arrives(launch));
  const std::string large(wire::LARGEST_TEXT + 1, 'x');
  EXPECT_FALSE(arrives(wire::Where::Reply{large}));
  EXPECT_TRUE(arrives(wire::Where::Reply{large.substr(1)}));
  EXPECT_FALSE(wire::decode<wire::Carry>(std::string(15, 0))) << "too short";
  EXPECT_FALSE(wire::decode<wire::Carry>(std::string(17, 0))) << "too long";
  // A count without its elements costs nothing.
  EXPECT_FALSE(wire::decode<wire::Launch>(std::string("\x40\0\0\0", 4)));
}

TEST(Protocol, TextOfAnotherProcessIsMadePrintable) {
  const std::string body = wire::encode(wire::Refused{"no\x1b!", true});
  EXPECT_EQ(wire::decode<wire::Refused>(body)->why, "no\\x1b!");
}

TEST(Protocol, OnlyTheEmulatorsVariablesCount) {
  const char *environment[] = {"PATH=/bin", "GPUEXEC_EMULATOR_LEVEL=v2",
                               "GPUEXEC_DEVICE=cuda",
                               "GPUEXEC_EMULATOR_JIT=off", nullptr};
  EXPECT_EQ(wire::emulator_variables(environment),
            "GPUEXEC_EMULATOR_JIT=off\nGPUEXEC_EMULATOR_LEVEL=v2\n");
}

TEST(Pool, ADeviceThatCannotBeOpenedIsHopelessAtOnce) {
  Pool pool(DeviceInfo(), 4);
  EXPECT_FALSE(pool.is_hopeless());
  pool.has_failed("no driver");
  EXPECT_TRUE(pool.is_hopeless());
  EXPECT_FALSE(pool.may_start(Pool::Clock::now()));
  EXPECT_EQ(pool.why_failed, "no driver");
  pool.has_worked();
  EXPECT_FALSE(pool.is_hopeless());
}

TEST(Pool, WorkersThatAreKilledAreReplacedUntilTheyAreMany) {
  Pool pool(DeviceInfo(), 4);
  for (int i = 0; i < 20; ++i)
    pool.has_lost_worker(); // all at once
  EXPECT_EQ(pool.failures, 1u);
  EXPECT_FALSE(pool.is_hopeless());
  const Pool::Clock::time_point end =
      Pool::Clock::now() + std::chrono::seconds(60);
  while (!pool.is_hopeless() && Pool::Clock::now() < end) {
    EXPECT_LT(pool.failures, 5u);
    if (pool.may_start(Pool::Clock::now()))
      pool.has_lost_worker();
  }
  EXPECT_TRUE(pool.is_hopeless());
  EXPECT_EQ(pool.why_failed, "its worker has ended by itself");
}

TEST(HostMemory, IsRegisteredOnceAndClearedForTheNextClient) {
  FakeDevice device;
  HostMemory memory(device);
  ASSERT_FALSE(llvm::errorToBool(memory.prepare()));
  ASSERT_EQ(device.registered.size(), 1u);
  EXPECT_EQ(memory.first().size, device.registered[0].size());
  device.registered[0][5] = std::byte(7); // the client had all of it
  for (int client = 0; client < 3; ++client) {
    llvm::Expected<HostMemory::Piece> piece = memory.allocate(100000),
                                      other = memory.allocate(1);
    ASSERT_TRUE(piece && other);
    ASSERT_EQ(device.registered.size(), 2u);
    ASSERT_TRUE(piece->part) << "each client is told once";
    EXPECT_FALSE(other->part);
    EXPECT_EQ(piece->part->begin, DeviceAddress(uint64_t(2) << 40));
    const uint64_t at = piece->address - piece->part->begin;
    std::byte *bytes = device.registered[1].data() + at;
    for (uint64_t i = 0; i < 100000; ++i)
      ASSERT_EQ(bytes[i], std::byte(0)) << "of the client before";
    std::fill_n(bytes, 100000, std::byte(9));
    memory.clear();
    EXPECT_EQ(device.registered[0][5], std::byte(0));
  }
  // More than there is: another part.
  llvm::Expected<HostMemory::Piece> large = memory.allocate(uint64_t(20) << 20);
  ASSERT_TRUE(bool(large));
  EXPECT_EQ(device.registered.size(), 3u);
}

/// What is registered stays near what was asked for, whatever the sizes.
TEST(HostMemory, RegistersLittleMoreThanClientsAskFor) {
  for (uint64_t size : {4096u, 300000u, 2u << 20, (2u << 20) + 1, 5u << 20}) {
    FakeDevice device;
    HostMemory memory(device);
    ASSERT_FALSE(llvm::errorToBool(memory.prepare()));
    uint64_t asked = 0, registered = 0;
    for (; asked < (uint64_t(40) << 20); asked += size)
      ASSERT_TRUE(bool(memory.allocate(size)));
    for (llvm::MutableArrayRef<std::byte> part : device.registered)
      registered += part.size();
    EXPECT_LE(registered, asked / 3 * 4 + (uint64_t(8) << 20)) << size;
  }
}

TEST(Listener, OneAtATimeAndNothingLeft) {
  std::string folder = testing::TempDir() + "gpuexec-listener-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/sub/serve";
  {
    llvm::Expected<Listener> first = Listener::open(path);
    ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
    EXPECT_EQ(::access(path.c_str(), F_OK), 0);
    EXPECT_THAT(error_of(Listener::open(path)),
                HasSubstr("a server listens there already"));
    first->close();
    llvm::Expected<Listener> second = Listener::open(path);
    EXPECT_TRUE(bool(second)) << llvm::toString(second.takeError());
    first->close(); // leaves the second one's file
    EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
  EXPECT_THAT(error_of(Listener::open(folder + "/" + std::string(200, 'x'))),
              HasSubstr("too long"));
  ::unlink((path + ".lock").c_str());
  ::rmdir((folder + "/sub").c_str());
  ::rmdir(folder.c_str());
}

/// Connections that arrive, and their other ends.
class ArrivalsTest : public testing::Test {
protected:
  void connect(const std::string &address) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    arrivals.add(UniqueFd(ends[0]), address, now);
    others.emplace_back(ends[1]);
  }
  void speak(size_t other) {
    ASSERT_EQ(write_all(others[other].get(), "x"), 0);
  }
  /// Whose relay would be started; "" when nobody's.
  std::string take(const std::string &full = "") {
    auto taken =
        arrivals.take([&](llvm::StringRef host) { return host != full; });
    return taken ? taken->address : "";
  }

  Arrivals arrivals;
  std::vector<UniqueFd> others;
  Arrivals::Clock::time_point now;
};

TEST_F(ArrivalsTest, WhoSaysNothingGetsNoRelay) {
  connect("tcp://[::1]:1");
  connect("tcp://[::1]:2");
  arrivals.look(now);
  EXPECT_FALSE(arrivals.any_has_spoken());
  std::vector<pollfd> watched;
  arrivals.watch(watched);
  EXPECT_EQ(watched.size(), 2u);
  speak(1);
  arrivals.look(now);
  EXPECT_TRUE(arrivals.any_has_spoken());
  EXPECT_EQ(take("tcp://[::1]"), "");
  EXPECT_EQ(take(), "tcp://[::1]:2");
  EXPECT_EQ(take(), "");
}

TEST_F(ArrivalsTest, WhoHasGoneOrTakesTooLongIsForgotten) {
  connect("tcp://a:1");
  connect("tcp://a:2");
  others[0].close();
  arrivals.look(now);
  EXPECT_EQ(arrivals.size(), 1u);
  EXPECT_EQ(arrivals.count_forgotten(), 1u);
  arrivals.look(now + Arrivals::TIMEOUT + std::chrono::seconds(1));
  EXPECT_EQ(arrivals.size(), 0u);
  EXPECT_EQ(arrivals.count_forgotten(), 1u);
  EXPECT_EQ(arrivals.count_forgotten(), 0u);
}

TEST_F(ArrivalsTest, ManyOfOneMachineMakeRoomForEachOther) {
  connect("tcp://b:1");
  connect("tcp://a:0");
  speak(1);
  arrivals.look(now);
  for (size_t i = 1; i < 3 * Arrivals::MOST_OF_HOST; ++i)
    connect("tcp://a:" + std::to_string(i));
  EXPECT_EQ(arrivals.size(), Arrivals::MOST_OF_HOST + 1);
  speak(0);
  arrivals.look(now);
  EXPECT_EQ(take(), "tcp://b:1");
  EXPECT_EQ(take(), "tcp://a:0"); // who has said nothing went first
}

TEST_F(ArrivalsTest, ThereAreNeverMoreThanTheMost) {
  for (size_t i = 0; i < Arrivals::MOST + 20; ++i)
    connect("tcp://" + std::to_string(i) + ":1");
  EXPECT_EQ(arrivals.size(), Arrivals::MOST);
  EXPECT_EQ(arrivals.count_forgotten(), 20u);
}

} // namespace
