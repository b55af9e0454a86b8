//===-- offload/blas/operands/tests/pages_test.cpp - Ways to change memory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each way to change memory that is watched must be seen; reading must not.
//===----------------------------------------------------------------------===//
#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
#include "offload/blas/operands/pages.h"
}

namespace {

constexpr size_t PAGE = 4096, SIZE = 64 * PAGE;

void count(void *context, uintptr_t begin, uintptr_t end) {
  *static_cast<size_t *>(context) += end - begin;
}

struct PagesTest : testing::Test {
  void SetUp() override {
    if (const char *reason = pages_open(&watched))
      GTEST_SKIP() << reason;
    memory = map(nullptr, MAP_PRIVATE);
    memset(memory, 1, SIZE);
    ASSERT_EQ(watch(), 0);
    ASSERT_TRUE(unchanged());
  }
  static char *map(void *address, int flags) {
    return static_cast<char *>(mmap(address, SIZE, PROT_READ | PROT_WRITE,
                                    flags | MAP_ANONYMOUS, -1, 0));
  }
  int watch() {
    written = 0;
    return pages_watch(&watched, memory, SIZE, count, &written);
  }
  bool unchanged() { return pages_unchanged(&watched, memory, SIZE); }
  pages watched = {};
  char *memory = nullptr;
  size_t written = 0;
};

TEST_F(PagesTest, ReadingIsNoChange) {
  EXPECT_EQ(memory[SIZE / 2], 1);
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  EXPECT_EQ(write(pipes[1], memory, 100), 100);
  EXPECT_TRUE(unchanged());
}

TEST_F(PagesTest, Write) {
  memory[SIZE - 1] = 2;
  EXPECT_FALSE(unchanged());
  EXPECT_EQ(watch(), 0);
  EXPECT_EQ(written, PAGE);
  EXPECT_TRUE(unchanged());
}

TEST_F(PagesTest, WriteBetweenWatchingAndReadingIsSeen) {
  std::thread([&] { memory[5 * PAGE] = 7; }).join();
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, SystemCallThatWrites) {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(read(file, memory + 3 * PAGE, 10), 10);
  EXPECT_FALSE(unchanged());
  close(file);
}

TEST_F(PagesTest, SystemCallThatWritesAsADebuggerDoes) {
  char byte = 9;
  const iovec from = {&byte, 1}, to = {memory + PAGE, 1};
  ASSERT_EQ(process_vm_writev(getpid(), &from, 1, &to, 1, 0), 1);
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, Discarded) {
  ASSERT_EQ(madvise(memory + PAGE, PAGE, MADV_DONTNEED), 0);
  EXPECT_FALSE(unchanged());
  EXPECT_EQ(memory[PAGE], 0); // and read again
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, UnmappedAndMappedAgain) {
  munmap(memory, SIZE);
  ASSERT_EQ(map(memory, MAP_PRIVATE | MAP_FIXED), memory);
  EXPECT_FALSE(unchanged());
  EXPECT_EQ(memory[PAGE], 0);
  EXPECT_FALSE(unchanged());
  memset(memory, 1, SIZE);
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, MappedOver) {
  ASSERT_EQ(
      static_cast<void *>(mmap(memory + PAGE, PAGE, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)),
      memory + PAGE);
  EXPECT_FALSE(unchanged());
  memory[PAGE] = 1;
  EXPECT_FALSE(unchanged());
  EXPECT_EQ(watch(), 0); // registers the new part
  EXPECT_EQ(written, PAGE);
  EXPECT_TRUE(unchanged());
}

TEST_F(PagesTest, AnotherRangeMovedOver) {
  char *other = map(nullptr, MAP_PRIVATE);
  memset(other, 2, SIZE);
  size_t any = 0;
  ASSERT_EQ(pages_watch(&watched, other, SIZE, count, &any), 0);
  ASSERT_EQ(mremap(other, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, memory),
            static_cast<void *>(memory));
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, MovedAwayAndBack) {
  char *elsewhere = map(nullptr, MAP_PRIVATE);
  ASSERT_EQ(
      mremap(memory, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere),
      static_cast<void *>(elsewhere));
  elsewhere[0] = 5;
  ASSERT_EQ(
      mremap(elsewhere, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, memory),
      static_cast<void *>(memory));
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, GrowsInPlace) {
  void *grown = mremap(memory, SIZE, 2 * SIZE, MREMAP_MAYMOVE);
  ASSERT_NE(grown, MAP_FAILED);
  EXPECT_FALSE(
      pages_unchanged(&watched, static_cast<char *>(grown) + SIZE, SIZE));
}

TEST_F(PagesTest, ChildOfAForkHasItsOwn) {
  const pid_t child = fork();
  if (child == 0) {
    memory[0] = 3;
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(unchanged());
  memory[0] = 3;
  EXPECT_FALSE(unchanged());
}

TEST_F(PagesTest, HugePages) {
  constexpr size_t HUGE = size_t(2) << 20;
  char *huge = static_cast<char *>(aligned_alloc(HUGE, 4 * HUGE));
  madvise(huge, 4 * HUGE, MADV_HUGEPAGE);
  memset(huge, 1, 4 * HUGE);
  size_t any = 0;
  ASSERT_EQ(pages_watch(&watched, huge, 4 * HUGE, count, &any), 0);
  EXPECT_TRUE(pages_unchanged(&watched, huge, 4 * HUGE));
  huge[HUGE + 5 * PAGE] = 2;
  EXPECT_FALSE(pages_unchanged(&watched, huge, 4 * HUGE));
  EXPECT_TRUE(pages_unchanged(&watched, huge, HUGE));
  any = 0;
  ASSERT_EQ(pages_watch(&watched, huge, 4 * HUGE, count, &any), 0);
  EXPECT_EQ(any, PAGE);
}

TEST_F(PagesTest, ReallocOfALargeBlockMovesIt) {
  char *block = static_cast<char *>(malloc(SIZE * 16));
  memset(block, 1, SIZE * 16);
  size_t any = 0;
  ASSERT_EQ(pages_watch(&watched, block + 5 * PAGE, SIZE, count, &any), 0);
  char *larger = static_cast<char *>(realloc(block, SIZE * 64));
  ASSERT_NE(larger, nullptr);
  EXPECT_EQ(larger[SIZE * 16 - 1], 1);
  free(larger);
}

TEST_F(PagesTest, SharedMemoryIsNotWatched) {
  char *shared = map(nullptr, MAP_SHARED);
  memset(shared, 1, SIZE);
  size_t any = 0;
  EXPECT_NE(pages_watch(&watched, shared, SIZE, count, &any), 0);
  EXPECT_FALSE(pages_unchanged(&watched, shared, SIZE));
}

TEST_F(PagesTest, FilesAreNotWatched) {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  void *mapped =
      mmap(nullptr, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  size_t any = 0;
  EXPECT_NE(pages_watch(&watched, mapped, PAGE, count, &any), 0);
  EXPECT_FALSE(pages_unchanged(&watched, mapped, PAGE));
  close(file);
}

} // namespace
