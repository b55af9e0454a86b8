//===-- rpc/tests/bulk_test.cpp - Large reads and writes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/tests/caller.h"
#include "gmock/gmock.h"
#include <signal.h>
#include <sys/resource.h>

using namespace gpuexec::rpc;
using namespace gpuexec::rpc::test;

enum class Way { views, copies, neither };
class Bulk : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, Bulk,
                         testing::Values(Way::views, Way::copies,
                                         Way::neither));

TEST_P(Bulk, ThereAndBack) {
  Session session({.input = "abc"});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = (3 << 20) + 7;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  std::string text(SIZE, 0);
  for (uint64_t i = 0; i < SIZE; ++i)
    text[i] = char(i * 31 >> 3);
  memcpy((void *)memory, text.data(), SIZE);
  std::string path = session.directory / "bulk";
  uint64_t f = c.fopen(path, "w+");
  EXPECT_EQ(c.fwrite(f, "head"), 4);
  EXPECT_EQ(c.call(RPC_BULK_WRITE_STREAM, f, memory, SIZE), int64_t(SIZE));
  EXPECT_EQ(c.fwrite(f, "tail"), 4);
  EXPECT_EQ(c.call(RPC_FSEEK, f, 0, SEEK_SET), 0);
  EXPECT_TRUE(read_file(path) == "head" + text + "tail");
  memset((void *)memory, 0, SIZE);
  EXPECT_EQ(c.fread(f, 4), "head");
  uint64_t done = 0, end = 0;
  while (done < SIZE) {
    int64_t got =
        c.call(RPC_BULK_READ_STREAM, f, memory + done, SIZE - done, 0, &end);
    ASSERT_GT(got, 0);
    done += uint64_t(got);
  }
  EXPECT_EQ(memcmp((void *)memory, text.data(), SIZE), 0);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, f, memory, 100, 0, &end), 4);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, f, memory, 100, 0, &end), 0);
  EXPECT_EQ(end, 1u);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, RPC_STREAM_STDIN, memory, 100), 3);
  EXPECT_EQ(memcmp((void *)memory, "abc", 3), 0);
  // Addresses that are nothing.
  for (uint64_t address :
       {uint64_t(0), uint64_t(64), ~uint64_t(0), memory + SIZE - 1}) {
    EXPECT_EQ(c.call(RPC_BULK_WRITE_STREAM, f, address, 4096), 0);
    EXPECT_EQ(c.error, EFAULT);
  }
  int64_t fd = c.path_call(RPC_OPEN, path, O_RDWR, 0);
  EXPECT_EQ(c.call(RPC_BULK_READ, uint64_t(fd), memory, 10, 0), 10);
  EXPECT_EQ(memcmp((void *)memory, "head", 4), 0);
  EXPECT_EQ(c.call(RPC_BULK_WRITE, uint64_t(fd), memory, 4, 4), 4);
  EXPECT_EQ(c.call(RPC_BULK_READ, 99, memory, 4), -1);
  EXPECT_EQ(c.error, EBADF);
}

// Nothing is taken from a file for memory that cannot have it: what another
// allocation follows, what ends before the length does, what is only read.
TEST_P(Bulk, ABadRangeTakesNothing) {
  Session session({.input = "0123456789"});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = 64 << 10;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  uint64_t constant = uint64_t(c.call(RPC_MALLOC, SIZE));
  memset((void *)memory, 'm', SIZE);
  memset((void *)constant, 'c', SIZE);
  session.memory.read_only = gpuexec::DeviceAddress(constant);
  std::string path = session.directory / "bulk";
  std::ofstream(path) << std::string(SIZE, 'f');
  int64_t fd = c.path_call(RPC_OPEN, path, O_RDWR, 0);
  struct {
    uint64_t address, size;
  } ranges[] = {{constant, 4},
                {constant, SIZE},
                {memory, SIZE + 1},
                {memory + 1, SIZE},
                {memory, ~uint64_t(0)},
                {memory + 8, ~uint64_t(0) - 7},
                {~uint64_t(0), 1},
                {uint64_t(1) << 63, 100},
                {8, 3}};
  for (auto [address, size] : ranges) {
    EXPECT_EQ(c.call(RPC_BULK_READ, 0, address, size, ~uint64_t(0)), -1);
    EXPECT_EQ(c.error, EFAULT) << size;
    EXPECT_EQ(c.call(RPC_BULK_READ, uint64_t(fd), address, size, 0), -1);
    EXPECT_EQ(c.error, EFAULT) << size;
    EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, RPC_STREAM_STDIN, address, size), 0);
    EXPECT_EQ(c.error, EFAULT) << size;
    if (address == constant)
      continue;
    EXPECT_EQ(c.call(RPC_BULK_WRITE, uint64_t(fd), address, size, 0), -1);
    EXPECT_EQ(c.error, EFAULT) << size;
  }
  EXPECT_EQ(std::string((char *)constant, SIZE), std::string(SIZE, 'c'));
  EXPECT_EQ(std::string((char *)memory, SIZE), std::string(SIZE, 'm'));
  EXPECT_EQ(read_file(path), std::string(SIZE, 'f'));
  EXPECT_EQ(c.call(RPC_BULK_WRITE, uint64_t(fd), constant, 4, 0), 4);
  EXPECT_EQ(c.call(RPC_BULK_READ_STREAM, RPC_STREAM_STDIN, memory, 10), 10);
  EXPECT_EQ(std::string((char *)memory, 11), "0123456789m");
}

// What the lanes of a wave write to one file comes behind one another, in lane
// order, whatever their sizes; a lane whose address is nothing is left out.
TEST_P(Bulk, LanesWriteBehindOneAnother) {
  Session session({.lanes = 64});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = 200000;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  for (uint64_t i = 0; i < SIZE; ++i)
    ((char *)memory)[i] = char('a' + i * 7 % 26);
  std::string paths[2] = {session.directory / "a", session.directory / "b"};
  uint64_t files[2] = {c.fopen(paths[0], "w"), c.fopen(paths[1], "w")};
  std::string expected[2];
  uint64_t sizes[64], addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane) {
    sizes[lane] = lane % 5 == 3 ? 0 : lane * lane * 40;
    addresses[lane] = lane == 20 ? 4096 : memory + lane;
    if (lane != 20)
      expected[lane % 16 / 8] +=
          std::string((char *)memory + lane, sizes[lane]);
  }
  auto port = session.open(RPC_BULK_WRITE_STREAM);
  port.send([&](unsigned lane, rpc_packet &p) {
    p.words[0] = files[lane % 16 / 8];
    p.words[1] = addresses[lane];
    p.words[2] = sizes[lane];
  });
  port.recv([&](unsigned lane, rpc_packet &p) {
    EXPECT_EQ(p.words[0], lane == 20 ? 0 : sizes[lane]) << lane;
    EXPECT_EQ(p.words[RPC_ERRNO_WORD], lane == 20 ? uint64_t(EFAULT) : 0u)
        << lane;
  });
  port.close();
  for (int i : {0, 1}) {
    EXPECT_EQ(c.call(RPC_CLOSE_FILE, files[i]), 0);
    EXPECT_TRUE(read_file(paths[i]) == expected[i]) << i;
  }
  EXPECT_EQ(session.memory.copies_given > 0, GetParam() == Way::copies);
  EXPECT_FALSE(session.memory.copies_taken);
}

TEST_P(Bulk, NothingIsAcknowledgedThatAFullDiskDidNotTake) {
  Session session({});
  session.memory.views = GetParam() == Way::views;
  session.memory.copies = GetParam() == Way::copies;
  Caller c{session};
  constexpr uint64_t SIZE = 300000, LIMIT = 500000;
  uint64_t memory = uint64_t(c.call(RPC_MALLOC, SIZE));
  ASSERT_NE(memory, 0u);
  memset((void *)memory, 'x', SIZE);
  auto write = [&](uint64_t file, uint64_t &error) {
    uint64_t total = 0;
    error = 0;
    auto port = session.open(RPC_BULK_WRITE_STREAM, 0xf0);
    port.send_words(file, memory, SIZE);
    port.recv([&](unsigned, rpc_packet &p) {
      total += p.words[0];
      error = std::max(error, p.words[RPC_ERRNO_WORD]);
    });
    return total;
  };
  uint64_t error;
  EXPECT_EQ(write(c.fopen("/dev/full", "w"), error), 0u);
  EXPECT_EQ(error, uint64_t(ENOSPC));
  // A file that may not grow beyond LIMIT.
  std::string path = session.directory / "small";
  rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = LIMIT;
  auto handler = signal(SIGXFSZ, SIG_IGN);
  uint64_t file = c.fopen(path, "w");
  setrlimit(RLIMIT_FSIZE, &small);
  uint64_t total = write(file, error);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(total, LIMIT);
  EXPECT_EQ(error, uint64_t(EFBIG));
  EXPECT_EQ(read_file(path), std::string(LIMIT, 'x'));
}
