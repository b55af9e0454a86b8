// Semaphores lose no wake-up: libstdc++ 12 waits for the count to change although it is positive (toolchain/libstdcxx/include/bits/
// semaphore_base.h).
// RUN: %gpucxx -std=c++20 -O2 %s -o %t && %run %t | FileCheck %s --match-full-lines
#include <atomic>
#include <chrono>
#include <cstdio>
#include <semaphore>
#include <thread>

using namespace std::chrono_literals;

// Many threads take and return the same two places: tries fail again and again while another thread changes the count.
static void contend() {
  std::counting_semaphore<2> places(2);
  std::atomic<int> inside{0}, most{0}, taken{0};
  std::thread all[6];
  for (std::thread &each : all)
    each = std::thread([&] {
      for (int i = 0; i < 300; ++i) {
        places.acquire();
        const int now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);)
          ;
        ++taken;
        --inside;
        places.release();
      }
    });
  for (std::thread &each : all)
    each.join();
  printf("taken %d, too many %d, left %d %d %d\n", taken.load(), most > 2, places.try_acquire(), places.try_acquire(),
         places.try_acquire());
}

// Each thread waits for the other one's word.
static void take_turns() {
  std::binary_semaphore ping(0), pong(0);
  int turns = 0;
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      ping.acquire();
      ++turns;
      pong.release();
    }
  });
  for (int i = 0; i < 200; ++i) {
    ping.release();
    pong.acquire();
  }
  other.join();
  printf("turns %d\n", turns);
}

// The first of two that wait is woken by a release of several.
static void release_several() {
  std::counting_semaphore<> count(0);
  std::atomic<int> awake{0};
  std::thread all[3];
  for (std::thread &each : all)
    each = std::thread([&] {
      count.acquire();
      ++awake;
    });
  std::this_thread::sleep_for(20ms);
  count.release(3);
  for (std::thread &each : all)
    each.join();
  printf("awake %d\n", awake.load());
}

static void time_out() {
  std::counting_semaphore<> count(1);
  const bool first = count.try_acquire_for(1h), second = count.try_acquire_for(5ms),
             past = count.try_acquire_until(std::chrono::system_clock::now() - 1s);
  std::thread later([&] {
    std::this_thread::sleep_for(10ms);
    count.release();
  });
  const bool third = count.try_acquire_until(std::chrono::system_clock::now() + 1h);
  later.join();
  printf("timed %d %d %d %d\n", first, second, past, third);
}

int main() {
  contend();         // CHECK: taken 1800, too many 0, left 1 1 0
  take_turns();      // CHECK-NEXT: turns 200
  release_several(); // CHECK-NEXT: awake 3
  time_out();        // CHECK-NEXT: timed 1 0 0 1
}
