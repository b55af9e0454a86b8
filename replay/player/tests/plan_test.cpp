//===-- replay/player/tests/plan_test.cpp - How much memory a replay needs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gtest/gtest.h"
#include <cstdarg>
#include <deque>
#include <vector>

#define _Noreturn [[noreturn]]
extern "C" {
#include "replay/player/plan.h"
#include "replay/player/process.h"
#include "rpc/protocol/protocol.h"
}

extern "C" void fail(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  _exit(status);
}
extern "C" void *allocate(uint64_t count, uint64_t size) {
  return calloc(count, size);
}
extern "C" void *reallocate(void *data, uint64_t size) {
  return realloc(data, size);
}

namespace {

constexpr uint64_t PIECE = 2 << 20;
constexpr uint64_t FIRST = uint64_t(1) << 40;

struct Run : testing::Test {
  ~Run() override {
    for (buffer &bytes : texts)
      free(bytes.data);
  }

  bytes numbers(const std::vector<uint64_t> &all) {
    buffer &text = texts.emplace_back();
    for (uint64_t number : all)
      append_number(&text, number);
    return view(&text);
  }

  /// A call of lanes: what each asked, and the address and error that it got.
  void call(uint32_t opcode, uint64_t mask, const std::vector<uint64_t> &asked,
            const std::vector<uint64_t> &got) {
    recorded_call made = {};
    made.opcode = opcode;
    made.mask = mask;
    made.request = numbers(asked);
    made.answer = numbers(got);
    calls.push_back(made);
  }

  uint64_t heap() {
    recording run = {};
    run.calls = calls.data();
    run.call_count = calls.size();
    return recorded_heap(&run);
  }

  std::deque<buffer> texts;
  std::vector<recorded_call> calls;
};

TEST_F(Run, WithoutAllocationsNeedsNothing) {
  EXPECT_EQ(heap(), 0u);
  call(RPC_READ_FGETS, 1, {1, 100}, {FIRST, 0});
  call(RPC_FREE, 1, {FIRST}, {});
  EXPECT_EQ(heap(), 0u);
}

// What lay next to each other needs twice that, for gaps.
TEST_F(Run, NeedsWhatItsAddressesSpan) {
  for (uint64_t i = 0; i < 64; ++i)
    call(RPC_MALLOC, 1, {4096}, {FIRST + i * 4096, 0});
  EXPECT_EQ(heap(), 2u * 64 * 4096);
}

// Memory that was given several times is needed several times at most.
TEST_F(Run, NeedsNoMoreThanItAskedFor) {
  call(RPC_MALLOC, 1, {100}, {FIRST, 0});
  call(RPC_MALLOC, 1, {100}, {FIRST + (uint64_t(1) << 36), 0});
  EXPECT_EQ(heap(), 2 * (PIECE + PIECE)); // each with its alignment
  call(RPC_ALLOCATE, 1, {3 * PIECE + 1, 64}, {FIRST + PIECE, 0});
  EXPECT_EQ(heap(), 2 * (PIECE + PIECE) + 4 * PIECE + 64);
}

TEST_F(Run, OfLanesNeedsWhatEachOfThemHas) {
  call(RPC_MALLOC, 0x8000000000000005, {PIECE, PIECE, PIECE},
       {FIRST, 0, FIRST + PIECE, 0, FIRST + 2 * PIECE, 0});
  EXPECT_EQ(heap(), 6 * PIECE);
}

TEST_F(Run, NeedsNothingForWhatItWasRefused) {
  call(RPC_MALLOC, 3, {PIECE, uint64_t(1) << 62}, {FIRST, 0, 0, ENOMEM});
  EXPECT_EQ(heap(), 2 * PIECE);
}

// A recording may be anybody's.
TEST_F(Run, OfHostileNumbersDoesNotOverflow) {
  for (int i = 0; i < 100; ++i)
    call(RPC_ALLOCATE, 1, {UINT64_MAX / 8, UINT64_MAX / 8},
         {UINT64_MAX / 8, 0});
  EXPECT_LT(heap(), HEAP_UNKNOWN);
  call(RPC_ALLOCATE, UINT64_MAX, {UINT64_MAX, UINT64_MAX}, {UINT64_MAX});
  call(RPC_MALLOC, 1, {}, {});
  EXPECT_LT(heap(), HEAP_UNKNOWN);
}

} // namespace
