// std::atomic's wait() and notify on threads without a futex: a change is never missed. libstdc++ 12 compares outside of the lock with
// which it waits, and notifies without it (toolchain/libstdcxx/headers.sh); here another thread has that lock in the meantime.
// RUN: %gpucxx -std=c++20 -O2 %s -o %t && %run %t | FileCheck %s
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace std::chrono_literals;

static void give_time() { std::this_thread::sleep_for(100ms); }

int main() {
  std::atomic<int> word{0};
  std::__detail::__waiter_pool_base &pool = std::__detail::__waiter_pool_base::_S_for(&word);
  // It waits for the lock. What it has compared before is worth nothing once it has the lock: the notification is over.
  pool._M_mtx.lock();
  std::thread waiter([&] { word.wait(0); });
  while (!pool._M_waiting())
    std::this_thread::yield();
  give_time();
  std::thread changer([&] {
    word = 1;
    word.notify_all();
  });
  give_time();
  pool._M_mtx.unlock();
  waiter.join();
  changer.join();
  puts("compared with the lock"); // CHECK: compared with the lock

  // Whoever has compared, and not yet waited, has the lock.
  pool._M_mtx.lock();
  pool._M_enter_wait();
  std::atomic<bool> notified{false};
  std::thread notifier([&] {
    word.notify_all();
    notified = true;
  });
  give_time();
  puts(notified ? "notified at once" : "notified with the lock"); // CHECK: notified with the lock
  pool._M_leave_wait();
  pool._M_mtx.unlock();
  notifier.join();

  int phases = 0;
  std::barrier meeting(4, [&]() noexcept { ++phases; });
  std::thread all[4];
  for (std::thread &each : all)
    each = std::thread([&] {
      for (int i = 0; i < 100; ++i)
        meeting.arrive_and_wait();
    });
  for (std::thread &each : all)
    each.join();
  printf("%d phases\n", phases); // CHECK: 100 phases
}
