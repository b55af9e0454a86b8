//===-- replay/player/tests/replayer_test.cpp -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpu-replay does in its own way must be what gpuexec does.
//===----------------------------------------------------------------------===//
#include "rpc/services/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <cstdarg>

#define _Noreturn [[noreturn]]
extern "C" {
#include "replay/core/bytes.h"
#include "replay/player/format.h"
#include "replay/player/process.h"
#include "replay/player/ranges.h"
}

using gpuexec::rpc::Buffer;
using gpuexec::rpc::Format;
using gpuexec::rpc::MemoryBudget;

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

//===-- printf ------------------------------------------------------------===//

/// What both make of a format and a block of arguments: an errno, or a text.
static void compare(const std::string &text, Format::Packing packing,
                    llvm::StringRef block, bool llvm_style) {
  MemoryBudget budget{1 << 30};
  Buffer expected(budget);
  const Format theirs(text, packing);
  const llvm::StringRef string = "a string";
  std::vector<llvm::StringRef> copies(theirs.strings().size(), string);
  const int error =
      theirs.print(expected, block, copies,
                   llvm_style ? Format::Style::llvm : Format::Style::host);
  struct format ours;
  parse_format(&ours, as_bytes(text),
               packing == Format::Packing::packed    ? PACKED
               : packing == Format::Packing::aligned ? ALIGNED
                                                     : SLOTS);
  ASSERT_EQ(ours.valid, theirs.valid()) << text;
  ASSERT_EQ(ours.block_size, theirs.argument_bytes()) << text;
  ASSERT_EQ(ours.string_count, theirs.strings().size()) << text;
  std::vector<struct bytes> ours_copies(ours.string_count, as_bytes(string));
  for (size_t i = 0; i < ours.string_count; ++i) {
    const auto &string = theirs.strings()[i];
    ASSERT_EQ(string_address(&ours, &ours.strings[i], as_bytes(block)),
              theirs.address(string, block))
        << text;
    ASSERT_EQ(string_precision(&ours, &ours.strings[i], as_bytes(block)),
              theirs.precision(string, block))
        << text;
  }
  struct buffer out = {};
  ASSERT_EQ(print_format(&ours, &out, as_bytes(block), ours_copies.data(),
                         llvm_style),
            error)
      << text;
  if (!error) {
    ASSERT_EQ(llvm::StringRef(reinterpret_cast<char *>(out.data), out.size),
              expected.text())
        << text;
  }
  free(out.data);
  free_format(&ours);
}

TEST(Printf, IsGpuexecs) {
  std::string block(200, '\0');
  for (size_t i = 0; i < block.size(); ++i)
    block[i] = i % 8 < 2 ? char(i * 37 + 65) : '\0';
  const char *const flags[] = {"",  "-",   "+",  " ",   "#",    "0",
                               "I", "-+#", "1$", "2$0", "++++-"};
  const char *const widths[] = {"", "7", "*", "*1$", "99999999", "$"};
  const char *const precisions[] = {"",    ".",    ".3",      ".*",
                                    ".-2", ".*2$", ".9999999"};
  const char *const lengths[] = {"",  "h", "hh",  "l",    "ll",
                                 "z", "L", "w16", "wf16", "w"};
  const std::string conversions = "diouxXbBcCsSpnfFeEgGaAm%\005\006\007k";
  for (auto packing : {Format::Packing::packed, Format::Packing::aligned,
                       Format::Packing::slots})
    for (const char *flag : flags)
      for (const char *width : widths)
        for (const char *precision : precisions)
          for (const char *length : lengths)
            for (char conversion : conversions) {
              if (*length && *length != 'l' && conversion != 'd' &&
                  conversion != 'x')
                continue;
              const std::string text = std::string("<%") + flag + width +
                                       precision + length + conversion + "|%d>";
              compare(text, packing, block, false);
              if (HasFatalFailure())
                return;
            }
  for (const char *text : {"%p %s %.3s", "%", "%l", "a%%b%-", "%999999999999$d",
                           "%2$s %d", "", "no conversion", "%1$d %1$lld"})
    for (bool llvm_style : {false, true})
      for (size_t size : {size_t(0), size_t(5), block.size()}) {
        compare(text, Format::Packing::packed,
                llvm::StringRef(block).take_front(size), llvm_style);
        compare(text, Format::Packing::packed, std::string(size, '\0'),
                llvm_style);
      }
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
