//===-- lending/cuda/client/bulk_copy.cpp - See bulk_copy.h ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/cuda/client/bulk_copy.h"
#include "support/processors.h"

#include <cstring>
#include <emmintrin.h>
#include <thread>
#include <utility>

namespace gpuexec::lent_cuda {

namespace {

/// Smaller copies are not worth the other threads.
constexpr size_t SMALLEST = 128 << 10;

/// Writes without reading what is there first.
void stream(std::byte *to, const std::byte *from, size_t size) {
  const size_t before = (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64;
  if (size < 4096 + before)
    return void(std::memcpy(to, from, size));
  std::memcpy(to, from, before);
  to += before, from += before, size -= before;
  for (; size >= 64; to += 64, from += 64, size -= 64) {
    const auto *source = reinterpret_cast<const __m128i *>(from);
    auto *target = reinterpret_cast<__m128i *>(to);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1),
                  c = _mm_loadu_si128(source + 2),
                  d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();
  std::memcpy(to, from, size);
}

void copy_part(std::byte *to, const std::byte *from, size_t size,
               bool streams) {
  if (streams)
    stream(to, from, size);
  else
    std::memcpy(to, from, size);
}

} // namespace

BulkCopy &BulkCopy::get() {
  // The program's other threads, the worker and the driver need processors,
  // too.
  const unsigned count = usable_processors();
  static BulkCopy *made = new BulkCopy(count >= 12  ? 3
                                       : count >= 8 ? 2
                                       : count >= 6 ? 1
                                                    : 0);
  return *made;
}

void BulkCopy::help(unsigned number) {
  uint32_t done = 0;
  for (;;) {
    uint32_t now = done;
    wait_word(
        turn, std::chrono::microseconds(100),
        [&](uint32_t value) { return (now = value) != done; },
        [] { return true; });
    done = now;
    const Part part = parts[number];
    copy_part(part.to, part.from, part.size, part.streams);
    left.fetch_sub(1, std::memory_order_release);
  }
}

void BulkCopy::copy(std::byte *to, const std::byte *from, size_t size,
                    bool streams) {
  std::unique_lock lock(mutex, std::defer_lock);
  if (size < SMALLEST || !helpers || !lock.try_lock())
    return copy_part(to, from, size, streams);
  if (!std::exchange(started, true))
    for (unsigned i = 0; i < helpers; ++i)
      std::thread([this, i] { help(i); }).detach();
  const size_t piece = size / (helpers + 1) / 4096 * 4096;
  for (unsigned i = 0; i < helpers; ++i)
    parts[i] = {to + i * piece, from + i * piece, piece, streams};
  left.store(helpers, std::memory_order_relaxed);
  set_word(turn, (turn.load(std::memory_order_relaxed) + 1) & ~SLEEPER);
  const size_t rest = helpers * piece;
  copy_part(to + rest, from + rest, size - rest, streams);
  while (left.load(std::memory_order_acquire))
    pause_processor();
}

} // namespace gpuexec::lent_cuda
