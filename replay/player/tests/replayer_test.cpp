//===-- replay/player/tests/replayer_test.cpp -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and digests of recordings, and the memory of an emulated device.
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <cstdarg>

#define _Noreturn [[noreturn]]
extern "C" {
#include "replay/core/bytes.h"
#include "replay/player/process.h"
#include "replay/player/ranges.h"
}

extern "C" void fail(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  abort();
}
extern "C" void *allocate(uint64_t count, uint64_t size) {
  return calloc(count, size);
}
extern "C" void *reallocate(void *data, uint64_t size) {
  return realloc(data, size);
}

static struct bytes as_bytes(llvm::StringRef text) {
  return {text.bytes_begin(), text.size()};
}

TEST(Xxh3, IsLlvms) {
  std::string data(4000, '\0');
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = char(i * i * 31 >> 5);
  for (size_t size = 0; size <= data.size(); ++size) {
    const llvm::StringRef text(data.data(), size);
    ASSERT_EQ(xxh3(as_bytes(text)), llvm::xxh3_64bits(text)) << size;
  }
}

TEST(Numbers, EndWhereTheyEnd) {
  struct buffer to = {};
  const uint64_t numbers[] = {0, 1, 127, 128, 300, UINT64_MAX};
  for (uint64_t number : numbers)
    append_number(&to, number);
  struct packed from = {view(&to), false};
  for (uint64_t number : numbers)
    EXPECT_EQ(read_number(&from), number);
  EXPECT_FALSE(from.failed);
  read_number(&from);
  EXPECT_TRUE(from.failed);
  const uint8_t large[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2};
  from = {{large, sizeof large}, false};
  read_number(&from);
  EXPECT_TRUE(from.failed);
  free(to.data);
}

TEST(Ranges, AreGivenBackAndJoined) {
  struct ranges heap = {};
  make_ranges(&heap, 4096, 1 << 20);
  const uint64_t a = take_range(&heap, 100, 1), b = take_range(&heap, 1, 65536),
                 c = take_range(&heap, 0, 16);
  EXPECT_EQ(a, 4096u);
  EXPECT_EQ(b, 65536u);
  EXPECT_EQ(c % 16, 0u);
  EXPECT_TRUE(c != a && c != b);
  EXPECT_EQ(take_range(&heap, 1 << 20, 1), 0u);
  EXPECT_FALSE(give_range(&heap, a + 1));
  for (uint64_t each : {b, a, c})
    EXPECT_TRUE(give_range(&heap, each));
  EXPECT_FALSE(give_range(&heap, a));
  EXPECT_EQ(take_range(&heap, 1 << 20, 1), 4096u);
  EXPECT_EQ(take_range(&heap, UINT64_MAX, 4096), 0u);
  free(heap.all);
}
