// Threads of the standard library, locks, futures, latches, barriers, atomics that wait, thread_local objects.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++20
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stdio.h>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> made, destroyed;
struct Counted {
  int value = 1;
  Counted() { ++made; }
  ~Counted() { ++destroyed; }
};
static thread_local Counted own;

static void threads() {
  std::mutex mutex;
  long total = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < 6; ++i)
    all.emplace_back([&, i](const std::string &name) {
      own.value += i;
      for (int n = 0; n < 50; ++n) {
        std::lock_guard<std::mutex> lock(mutex);
        total += own.value * int(name.size());
      }
    }, "name");
  for (auto &thread : all)
    thread.join();
  printf("total %ld, made %d, destroyed %d\n", total, made.load(), destroyed.load());
  std::thread moved = std::thread([] {});
  std::thread other = std::move(moved);
  printf("%d %d ", moved.joinable(), other.joinable());
  other.join();
  try {
    other.join();
  } catch (const std::system_error &error) {
    printf("%s\n", error.code() == std::errc::invalid_argument ? "not joinable" : "?");
  }
}

static void futures() {
  auto later = std::async(std::launch::async, [] { return 6 * 7; });
  auto lazy = std::async(std::launch::deferred, [] { return std::string("lazy"); });
  auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("in a thread"); });
  printf("%d %s ", later.get(), lazy.get().c_str());
  try {
    fails.get();
  } catch (const std::runtime_error &error) {
    printf("%s\n", error.what());
  }
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto result = task.get_future();
  std::thread(std::move(task), 10).join();
  std::promise<int> broken;
  auto never = broken.get_future();
  { std::promise<int> gone = std::move(broken); }
  try {
    never.get();
  } catch (const std::future_error &error) {
    printf("%d %d\n", result.get(), error.code() == std::future_errc::broken_promise);
  }
}

static void waiting() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  std::string order;
  const auto player = [&](int me) {
    for (int i = 0; i < 5; ++i) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return turn % 2 == me; });
      order += char('a' + me);
      ++turn;
      changed.notify_all();
    }
  };
  std::thread first(player, 0), second(player, 1);
  first.join();
  second.join();
  printf("%s ", order.c_str());
  std::unique_lock<std::mutex> lock(mutex);
  using namespace std::chrono_literals;
  printf("%d %d\n", changed.wait_for(lock, 1ms) == std::cv_status::timeout, changed.wait_for(lock, 1ms, [] { return true; }));
}

static void together() {
  std::latch ready(4);
  std::atomic<int> phases{0}, sum{0};
  std::barrier meeting(4, [&]() noexcept { ++phases; });
  std::counting_semaphore<4> slots(2);
  std::vector<std::jthread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      ready.arrive_and_wait();
      for (int n = 0; n < 3; ++n) {
        slots.acquire();
        ++sum;
        slots.release();
        meeting.arrive_and_wait();
      }
    });
  all.clear();
  printf("%d %d\n", phases.load(), sum.load());
  std::atomic<int> word{0};
  std::jthread waiter([&] { word.wait(0); word = 2; word.notify_all(); });
  word = 1;
  word.notify_one();
  word.wait(1);
  printf("%d\n", word.load());
  std::jthread stopped([](std::stop_token token) {
    std::mutex inner;
    std::condition_variable_any never;
    std::unique_lock<std::mutex> lock(inner);
    never.wait(lock, token, [] { return false; });
  });
  printf("%d\n", stopped.request_stop());
}

static void once() {
  static std::once_flag flag;
  std::atomic<int> calls{0}, tries{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      try {
        std::call_once(flag, [&] {
          if (++tries == 1)
            throw 1;
          ++calls;
        });
      } catch (int) {
      }
    });
  for (auto &thread : all)
    thread.join();
  printf("%d %d\n", calls.load(), tries.load());
  std::shared_mutex shared;
  std::recursive_mutex again;
  std::timed_mutex timed;
  int value = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i)
    readers.emplace_back([&, i] {
      if (i % 2) {
        std::unique_lock<std::shared_mutex> lock(shared);
        ++value;
      } else {
        std::shared_lock<std::shared_mutex> lock(shared);
        std::scoped_lock both(again, timed);
        std::lock_guard<std::recursive_mutex> more(again);
      }
    });
  for (auto &thread : readers)
    thread.join();
  std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(5));
  printf("%d %d %d\n", value, timed.try_lock_for(std::chrono::milliseconds(1)), *pointer.load());
  timed.unlock();
}

int main() {
  threads();
  futures();
  waiting();
  together();
  once();
}
