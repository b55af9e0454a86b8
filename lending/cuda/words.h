//===-- lending/cuda/words.h - Waiting for another process ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for a word polls for a while and then sleeps in a futex; who
// changes the word calls the kernel only if somebody sleeps.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_WORDS_H
#define GPUEXEC_LENDING_CUDA_WORDS_H

#include "lending/cuda/layout.h"

#include <chrono>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gpuexec::lent_cuda {

inline constexpr uint32_t SLEEPER = 0x80000000;

inline void futex_wait(Word &word, uint32_t value,
                       std::chrono::nanoseconds limit) {
  timespec time{time_t(limit.count() / 1000000000),
                long(limit.count() % 1000000000)};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}
inline void futex_wake(Word &word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

inline void pause_processor() { __builtin_ia32_pause(); }

/// Sets the word, and wakes who sleeps for it.
inline void set_word(Word &word, uint32_t value) {
  if (word.exchange(value, std::memory_order_acq_rel) & SLEEPER)
    futex_wake(word);
}

/// Waits until `is_there(value)`; false when `goes_on()` becomes false, which
/// is asked some times a second.
template <typename There, typename GoesOn>
bool wait_word(Word &word, std::chrono::nanoseconds poll, There is_there,
               GoesOn goes_on) {
  using Clock = std::chrono::steady_clock;
  for (unsigned i = 0; i < 64; ++i) {
    if (is_there(word.load(std::memory_order_acquire) & ~SLEEPER))
      return true;
    pause_processor();
  }
  const Clock::time_point end = Clock::now() + poll;
  do {
    for (unsigned i = 0; i < 16; ++i) {
      if (is_there(word.load(std::memory_order_acquire) & ~SLEEPER))
        return true;
      pause_processor();
    }
  } while (Clock::now() < end);
  for (;;) {
    const uint32_t seen = word.fetch_or(SLEEPER, std::memory_order_acq_rel);
    if (is_there(seen & ~SLEEPER)) {
      word.fetch_and(~SLEEPER);
      return true;
    }
    futex_wait(word, seen | SLEEPER, std::chrono::milliseconds(100));
    if (is_there(word.load(std::memory_order_acquire) & ~SLEEPER))
      return true;
    if (!goes_on())
      return false;
  }
}

} // namespace gpuexec::lent_cuda

#endif
