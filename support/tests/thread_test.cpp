//===-- support/tests/thread_test.cpp -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/thread.h"
#include "gtest/gtest.h"

using gpuexec::Thread;

/// Is SIGUSR1 blocked in the thread that asks?
static bool blocked() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGUSR1);
}

TEST(Thread, TakesSignalsAsItsMakerDoesUnlessToldOtherwise) {
  bool usual = true, told = false;
  Thread thread;
  ASSERT_TRUE(thread.start([&] { usual = blocked(); }));
  thread.join();
  EXPECT_FALSE(usual);
  ASSERT_TRUE(
      thread.start([&] { told = blocked(); }, Thread::Signals::blocked));
  thread.join();
  EXPECT_TRUE(told);
  EXPECT_FALSE(blocked()) << "the maker's own mask is as it was";
}

TEST(Thread, IsHeldByTheOneItWasMovedTo) {
  Thread first;
  bool inside = false;
  EXPECT_FALSE(first.joinable());
  Thread *held = nullptr;
  pthread_mutex_t moved = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&moved);
  ASSERT_TRUE(first.start([&] {
    pthread_mutex_lock(&moved);
    inside = held->is_current();
    pthread_mutex_unlock(&moved);
  }));
  Thread second = std::move(first);
  held = &second;
  pthread_mutex_unlock(&moved);
  EXPECT_FALSE(first.joinable());
  EXPECT_FALSE(second.is_current());
  second.join();
  EXPECT_TRUE(inside);
  EXPECT_FALSE(second.joinable());
}
