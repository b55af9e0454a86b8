//===-- rpc/tests/hostile_test.cpp - Sandbox, and devices that misbehave --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/tests/fixture.h"
#include "gmock/gmock.h"
#include <sys/stat.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;
using testing::HasSubstr;

namespace {
int64_t open_path(Session &session, const std::string &path, uint64_t flags,
                  int64_t *error) {
  auto port = session.open(RPC_OPEN, 1);
  port.send_path(path);
  port.send_words(flags, 0600);
  int64_t result = 0;
  port.recv([&](unsigned, rpc_packet &p) {
    result = int64_t(p.words[0]);
    *error = int64_t(p.words[RPC_ERRNO_WORD]);
  });
  return result;
}
} // namespace

TEST(Sandbox, OnlyBelowTheGrantedDirectories) {
  TemporaryDirectory outside, writable, readable;
  write_file(outside / "secret", "secret");
  write_file(readable / "data", "data");
  ASSERT_EQ(symlink((outside / "secret").c_str(), (writable / "out").c_str()),
            0);
  ASSERT_EQ(symlink("..", (writable / "up").c_str()), 0);
  ASSERT_EQ(symlink("inner", (writable / "fine").c_str()), 0);
  write_file(writable / "inner", "inner");
  ServerOptions options;
  options.sandbox = true;
  options.directories = {{writable.path, true, ""}, {readable.path, false, ""}};
  Session session({.options = options});
  ASSERT_TRUE(session.server) << session.create_error;
  int64_t error = 0;
  auto refused = [&](const std::string &path, uint64_t flags,
                     int64_t expected) {
    EXPECT_EQ(open_path(session, path, flags, &error), -1) << path;
    EXPECT_EQ(error, expected) << path;
  };
  std::string name = outside.path.substr(outside.path.rfind('/') + 1);
  refused(outside / "secret", O_RDONLY, EACCES);
  refused("/etc/passwd", O_RDONLY, EACCES);
  refused(writable / "out", O_RDONLY, EACCES);
  refused(writable / "../" + name + "/secret", O_RDONLY, EACCES);
  refused(writable / "up/" + name + "/secret", O_RDONLY, EACCES);
  refused("../" + name + "/secret", O_RDONLY, EACCES);
  refused(writable.path + "x", O_RDONLY, EACCES);
  refused("/proc/self/root" + outside.path + "/secret", O_RDONLY, EACCES);
  refused(readable / "data", O_RDWR, EROFS);
  refused(readable / "new", O_WRONLY | O_CREAT, EROFS);
  EXPECT_GE(open_path(session, readable / "data", O_RDONLY, &error), 0);
  EXPECT_GE(open_path(session, writable / "fine", O_RDWR, &error), 0);
  refused("new", O_WRONLY | O_CREAT, EACCES); // where the test was started
  EXPECT_GE(open_path(session, writable / "new", O_WRONLY | O_CREAT, &error),
            0);
  EXPECT_TRUE(std::filesystem::exists(writable / "new"));
  EXPECT_GE(open_path(session, writable / "a/../new", O_RDONLY, &error), 0);

  auto call = [&](uint32_t opcode, const std::string &path, uint64_t a) {
    auto port = session.open(opcode, 1);
    port.send_path(path);
    port.send_words(a);
    int64_t result = 0;
    port.recv([&](unsigned, rpc_packet &p) {
      result = int64_t(p.words[0]);
      error = int64_t(p.words[RPC_ERRNO_WORD]);
    });
    return result;
  };
  // Calls that follow a link must not be led out by the last component.
  EXPECT_EQ(call(RPC_CHMOD, writable / "out", 0777), -1);
  EXPECT_EQ(call(RPC_CHOWN, writable / "out", getuid()), -1);
  EXPECT_EQ(call(RPC_CHOWN, readable / "data", getuid()), -1);
  EXPECT_EQ(error, EROFS);
  EXPECT_EQ(call(RPC_TRUNCATE, writable / "out", 0), -1);
  EXPECT_EQ(call(RPC_ACCESS, writable / "out", R_OK), -1);
  EXPECT_EQ(read_file(outside / "secret"), "secret");
  // A descriptor that may only be read is none to change a file by.
  for (uint32_t opcode : {RPC_FCHMOD, RPC_FCHOWN, RPC_FUTIMENS}) {
    const int64_t fd = open_path(session, readable / "data", O_RDONLY, &error);
    auto port = session.open(opcode, 1);
    port.send_words(uint64_t(fd), 0777);
    port.recv([&](unsigned, rpc_packet &p) {
      EXPECT_EQ(int64_t(p.words[0]), -1);
      EXPECT_EQ(int64_t(p.words[RPC_ERRNO_WORD]), EROFS);
    });
  }
  EXPECT_EQ(call(RPC_MKDIR, writable / "dir", 0755), 0);
  EXPECT_EQ(call(RPC_MKDIR, readable / "dir", 0755), -1);
  EXPECT_EQ(error, EROFS);
  EXPECT_EQ(call(RPC_UNLINK, readable / "data", 0), -1);
  EXPECT_EQ(call(RPC_UNLINK, writable / "up/" + name + "/secret", 0), -1);

  auto system = session.open(RPC_SYSTEM, 1);
  system.send_path("echo no > " + (writable / "system"));
  EXPECT_EQ(int64_t(system.recv_words()[0]), -1);
  EXPECT_FALSE(std::filesystem::exists(writable / "system"));
}

TEST(Sandbox, AWritableRootHasNoOtherDirectories) {
  ServerOptions options;
  options.sandbox = true;
  options.directories = {{"/", true}, {"/", false}};
  Session session({.options = options});
  EXPECT_FALSE(session.server);
  EXPECT_EQ(session.create_error,
            "/: cannot be kept from writing: it is in /, which is writable");
}

TEST(Sandbox, AnOpenDirectoryStaysWhenItIsMoved) {
  TemporaryDirectory outside, writable;
  write_file(outside / "secret", "secret");
  const std::string inner = writable / "inner", moved = writable / "moved";
  ASSERT_EQ(mkdir(inner.c_str(), 0700), 0);
  write_file(inner + "/file", "file");
  ServerOptions options;
  options.sandbox = true;
  options.directories = {
      {writable.path, true},
      {inner, true, "",
       std::make_shared<gpuexec::UniqueFd>(
           open(inner.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))}};
  ASSERT_EQ(rename(inner.c_str(), moved.c_str()), 0);
  ASSERT_EQ(symlink(outside.path.c_str(), inner.c_str()), 0);
  Session session({.options = options});
  ASSERT_TRUE(session.server) << session.create_error;
  int64_t error = 0;
  EXPECT_EQ(open_path(session, inner + "/secret", O_RDONLY, &error), -1);
  EXPECT_GE(open_path(session, moved + "/file", O_RDWR, &error), 0);
}

TEST(Sandbox, DirectoryMustExist) {
  ServerOptions options;
  options.sandbox = true;
  options.directories = {{"/nonexistent", true, ""}};
  Session session({.options = options});
  EXPECT_FALSE(session.server);
  EXPECT_EQ(session.create_error, "/nonexistent: No such file or directory");
}

namespace {
/// Writes a header and flips the word, without any manners.
void raw_request(Session &session, uint32_t port, uint32_t opcode,
                 uint64_t mask, uint32_t word = 1) {
  session.device->headers[port] = {mask, opcode, 0};
  std::atomic_ref<uint32_t>(session.device->outbox[port])
      .store(word, std::memory_order_release);
}
std::string error_of(Session &session) {
  auto outcome = session.wait_outcome();
  if (!outcome)
    return "no outcome";
  EXPECT_EQ(outcome->kind, Outcome::Kind::error);
  return outcome->message;
}
} // namespace

TEST(Hostile, UnknownOpcode) {
  for (uint32_t opcode : {0x63000063u, 0xFFFFFFFFu, 0xFFFFFFFEu, 0u}) {
    Session session({});
    raw_request(session, 3, opcode, 1);
    EXPECT_THAT(error_of(session), HasSubstr("test: RPC port 3: opcode"));
  }
}

TEST(Hostile, LaneMasks) {
  for (uint64_t mask : {0ul, 1ul << 32, ~0ul}) {
    Session session({.lanes = 32});
    raw_request(session, 0, RPC_TEST_INCREMENT, mask);
    EXPECT_THAT(error_of(session), HasSubstr("lane mask"));
  }
}

TEST(Hostile, MailboxWord) {
  Session session({});
  raw_request(session, 0, RPC_TEST_INCREMENT, 1, 77);
  EXPECT_THAT(error_of(session), HasSubstr("mailbox word 0x4d"));
}

TEST(Hostile, HostCallsAreRefused) {
  Session session({});
  auto port = session.open(RPC_OFFLOAD_HOST_CALL, 1);
  port.send_n(std::string("block"));
  port.send_words(0xdeadbeef);
  EXPECT_THAT(error_of(session), HasSubstr("host function 0xdeadbeef refused"));
}

TEST(Hostile, SizesWithoutData) {
  // A wave says that it sends 2^64-1 bytes and is never heard of again; others
  // go on, and the end comes without it.
  Session session({});
  for (uint32_t opcode : {RPC_WRITE_TO_STDOUT, RPC_TEST_STREAM, RPC_OPEN_FILE,
                          RPC_PRINTF_TO_STDOUT, RPC_SYSTEM}) {
    auto port = session.open(opcode, 3);
    port.send([](unsigned lane, rpc_packet &p) {
      p.words[0] = lane ? ~uint64_t(0) : uint64_t(1) << 40;
    });
    // Some packets of it, then silence. The port stays locked on the device.
    for (int i = 0; i < 100; ++i)
      port.send_words(i);
    session.device->locks[port.index] = true;
    auto other = session.open(RPC_TEST_INCREMENT, 1);
    other.send_words(1);
    EXPECT_EQ(other.recv_words()[0], 2u);
  }
  session.server->stop();
  EXPECT_FALSE(session.server->outcome());
}

TEST(Hostile, PortsThatFlipAtTheWrongTime) {
  Session session({.ports = 4});
  session.wave([&] {
    uint32_t value = 0, seed = 1;
    while (!session.device->dead) {
      seed = seed * 1664525 + 1013904223;
      uint32_t port = seed >> 30;
      rpc_header &header = session.device->headers[port];
      std::atomic_ref(header.lane_mask).store(1 + (seed >> 8 & 0xFF));
      std::atomic_ref(header.opcode).store(RPC_TEST_INTERFACE);
      std::atomic_ref<uint32_t>(session.device->outbox[port])
          .store(value ^= 1, std::memory_order_release);
    }
  });
  usleep(300000);
  session.device->dead = true;
  session.waves[0].join();
  session.waves.clear();
  session.server->abandon();
}

TEST(Hostile, PrintfWithAWrongBlock) {
  Session session({});
  for (std::string block :
       {std::string(), std::string(1, 'x'), std::string(5000, 0)}) {
    auto port = session.open(RPC_PRINTF_TO_STDOUT, 1);
    port.send_path("%d %s %f\n");
    port.recv_words();
    port.send_n(block);
    std::vector<uint64_t> addresses = port.recv_words(1);
    EXPECT_EQ(addresses[0], 0u);
  }
  session.server->stop();
  EXPECT_THAT(session.output(), HasSubstr("0 (null) 0.000000\n"));
}

TEST(Hostile, PrintfOfAStringThatStaysWhereItIs) {
  for (bool views : {true, false}) {
    Session session({});
    session.memory.views = views;
    constexpr uint64_t SIZE = (2 << 20) + 5;
    uint64_t memory = session.memory.allocate(SIZE, 16).value;
    memset((void *)memory, 'x', SIZE);
    int64_t error = 0;
    auto print = [&](std::string format, uint64_t address, uint64_t size) {
      auto port = session.open(RPC_PRINTF_TO_STDOUT_PACKED, 1);
      port.send_path(format);
      port.recv_words();
      port.send_n(std::string((const char *)&address, 8));
      EXPECT_EQ(port.recv_words(1)[0], address);
      uint64_t there = RPC_STRING_THERE(size);
      port.send_n(std::string((const char *)&there, 8));
      int64_t result = 0;
      port.recv([&](unsigned, rpc_packet &p) {
        result = int64_t(p.words[0]);
        error = int64_t(p.words[RPC_ERRNO_WORD]);
      });
      return result;
    };
    EXPECT_EQ(print("[%s]\n", memory, SIZE), int64_t(SIZE + 3));
    EXPECT_EQ(print("[%.9s]\n", memory, SIZE), 12);
    EXPECT_EQ(print("[%ls]\n", memory, 4096), -1); // no characters
    EXPECT_EQ(error, EILSEQ);
    EXPECT_EQ(print("[%s]\n", memory, SIZE + 1), -1);
    EXPECT_EQ(error, EFAULT);
    for (uint64_t size : {9ul, 5000ul, 1ul << 30, 1ul << 40, ~0ul >> 1}) {
      EXPECT_EQ(print("[%s]\n", 0x1000, size), -1);
      EXPECT_TRUE(error == EFAULT || error == ENOMEM) << size;
    }
    // Eight bytes may be all that there is, or be wanted: that is a string.
    EXPECT_EQ(print("[%.8s]\n", memory, 0x6161616161616161), 11);
    session.server->stop();
    session.memory.free(gpuexec::DeviceAddress(memory));
    EXPECT_EQ(session.output(), "[" + std::string(SIZE, 'x') +
                                    "]\n[xxxxxxxxx]\n[\x9e\x9e\x9e\x9e\x9e"
                                    "\x9e\x9e\x9e]\n");
  }
}

TEST(Hostile, MemoryThatRequestsMayHoldIsBounded) {
  // A read of the end of the world gives what there is, or says ENOMEM.
  ServerOptions options;
  int zero = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  Session session({.stdin_fd = zero, .options = options});
  auto port = session.open(RPC_READ_FROM_STREAM, 1);
  port.send_words(uint64_t(1) << 50, RPC_STREAM_STDIN);
  uint64_t size = 0;
  port.recv([&](unsigned, rpc_packet &p) { size = p.words[0]; });
  EXPECT_LE(size, uint64_t(1) << 30);
  ::close(zero);
}
