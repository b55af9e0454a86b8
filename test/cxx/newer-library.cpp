// Coroutines, ranges, concepts, spans, chrono, random numbers, memory resources and what else C++20 has, as natively.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++20
#include "inputs/awaited.h"
#include <algorithm>
#include <bit>
#include <chrono>
#include <compare>
#include <concepts>
#include <coroutine>
#include <exception>
#include <memory_resource>
#include <numbers>
#include <random>
#include <ranges>
#include <ratio>
#include <source_location>
#include <span>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

template <typename T> struct Generator {
  struct promise_type {
    T value;
    std::exception_ptr failed;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T next) { value = next; return {}; }
    void return_void() {}
    void unhandled_exception() { failed = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(Generator &&other) : handle(std::exchange(other.handle, nullptr)) {}
  ~Generator() { if (handle) handle.destroy(); }
  bool next() {
    handle.resume();
    if (handle.promise().failed)
      std::rethrow_exception(handle.promise().failed);
    return !handle.done();
  }
  T value() const { return handle.promise().value; }
};

struct Said {
  const char *what;
  ~Said() { printf("~%s ", what); }
};

static Generator<int> fibonacci(int most) {
  Said said{"frame"};
  for (int a = 0, b = 1; a < most; b += std::exchange(a, b))
    co_yield a;
}
static Generator<int> failing() {
  Said said{"failing"};
  co_yield 1;
  throw std::runtime_error("in a coroutine");
}

/// A task that another one awaits.
struct Task {
  using promise_type = AwaitedPromise<Task>;
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) { handle.promise().waiting = h; return handle; }
  int await_resume() { int result = handle.promise().result; handle.destroy(); return result; }
};
static Task leaf(int n) { co_return n * n; }
static Task sum(int n) {
  int total = 0;
  for (int i = 1; i <= n; ++i)
    total += co_await leaf(i);
  co_return total;
}

static void coroutines() {
  for (auto numbers = fibonacci(60); numbers.next();)
    printf("%d ", numbers.value());
  printf("\n");
  try {
    auto numbers = failing();
    while (numbers.next())
      printf("%d ", numbers.value());
  } catch (const std::exception &error) {
    printf("caught %s\n", error.what());
  }
  Task task = sum(10);
  task.handle.resume();
  printf("%d %d\n", task.handle.done(), task.handle.promise().result);
  task.handle.destroy();
}

static void ranges() {
  namespace views = std::views;
  auto odd_squares = views::iota(1) | views::filter([](int x) { return x % 2; }) | views::transform([](int x) { return x * x; }) | views::take(6);
  for (int x : odd_squares)
    printf("%d ", x);
  std::vector<std::string> words{"delta", "alpha", "charlie", "bravo"};
  std::ranges::sort(words, {}, &std::string::size);
  std::ranges::stable_sort(words | views::reverse | views::drop(1));
  for (const auto &word : words | views::reverse)
    printf("%s ", word.c_str());
  std::string line = "one,two,,three";
  for (auto part : line | views::split(','))
    printf("[%.*s]", int(std::ranges::distance(part)), &*part.begin());
  int numbers[] = {4, 8, 15, 16, 23, 42};
  std::span<int, 6> all = numbers;
  printf(" %zu %d %td\n", all.subspan(2).size(), all.last<2>()[0], std::ranges::lower_bound(all, 16) - all.begin());
}

struct Version {
  int major, minor;
  auto operator<=>(const Version &) const = default;
};
template <std::integral T> static const char *kind(T) { return "integral"; }
template <std::floating_point T> static const char *kind(T) { return "floating"; }

static void language() {
  printf("%d %d %s %s\n", Version{1, 2} < Version{1, 10}, (2.5 <=> 1.0) > 0, kind(1u), kind(1.f));
  printf("%d %d %u %x\n", std::popcount(0xffu), std::countl_zero(1u), std::bit_ceil(17u), std::rotl(0x80000001u, 4));
  printf("%.15g %d %u\n", std::numbers::pi, std::bit_cast<int>(1.0f), std::source_location::current().line());
}

static void times() {
  using namespace std::chrono;
  using namespace std::chrono_literals;
  constexpr auto span = 1h + 30min + 2500ms;
  printf("%ld %ld\n", long(duration_cast<seconds>(span).count()), long(floor<minutes>(span).count()));
  const year_month_day leap = 2024y / February / 29;
  printf("%d %d %d %u\n", leap.ok(), (2023y / 2 / 29).ok(), int(sys_days(leap).time_since_epoch().count()), weekday(leap).c_encoding());
  const year_month_day later{sys_days(leap) + days(366)};
  printf("%d-%u-%u\n", int(later.year()), unsigned(later.month()), unsigned(later.day()));
  const hh_mm_ss clock{12345678ms};
  printf("%ld:%ld:%ld.%03ld\n", long(clock.hours().count()), long(clock.minutes().count()), long(clock.seconds().count()), long(clock.subseconds().count()));
  const auto begin = steady_clock::now();
  printf("%d %d\n", steady_clock::now() >= begin, system_clock::now() > sys_days(2020y / 1 / 1));
}

static void randoms() {
  std::mt19937 engine(2024);
  std::mt19937_64 large(7);
  std::minstd_rand small(3);
  std::ranlux24 luxury(5);
  printf("%u %llu %u %u\n", unsigned(engine()), (unsigned long long)large(), unsigned(small()), unsigned(luxury()));
  std::uniform_int_distribution<int> dice(1, 6);
  std::normal_distribution<double> normal(10, 2);
  std::poisson_distribution<int> poisson(4.5);
  std::discrete_distribution<int> choice{1, 2, 3, 4};
  std::seed_seq seeds{1, 2, 3};
  std::mt19937 seeded(seeds);
  for (int i = 0; i < 8; ++i)
    printf("%d %.9f %d %d %.9f\n", dice(engine), normal(engine), poisson(engine), choice(engine), std::generate_canonical<double, 53>(seeded));
  std::vector<int> deck{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::shuffle(deck.begin(), deck.end(), engine);
  for (int card : deck)
    printf("%d ", card);
  std::random_device device;
  bool differ = false;
  for (int i = 0; i < 4; ++i)
    differ |= device() != device();
  printf("%d\n", differ);
}

struct Counting : std::pmr::memory_resource {
  int made = 0, freed = 0;
  void *do_allocate(size_t size, size_t alignment) override { ++made; return std::pmr::new_delete_resource()->allocate(size, alignment); }
  void do_deallocate(void *place, size_t size, size_t alignment) override { ++freed; std::pmr::new_delete_resource()->deallocate(place, size, alignment); }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

static void memory() {
  Counting counting;
  {
    char buffer[256];
    std::pmr::monotonic_buffer_resource monotonic(buffer, sizeof buffer, &counting);
    std::pmr::vector<std::pmr::string> words(&monotonic);
    for (int i = 0; i < 50; ++i)
      words.emplace_back("a word that is too long for the string itself");
    std::pmr::unsynchronized_pool_resource pool(&counting);
    std::pmr::vector<int> numbers(1000, 3, &pool);
    printf("%zu %zu %d\n", words.size(), numbers.size(), counting.made > 0);
  }
  printf("%d\n", counting.made == counting.freed);
  struct alignas(128) Wide { char bytes[128]; };
  auto *wide = new Wide[3];
  printf("%d\n", int((unsigned long)wide % 128));
  delete[] wide;
  try {
    throw std::system_error(std::make_error_code(std::errc::timed_out), "waiting");
  } catch (const std::system_error &error) {
    printf("%s %d\n", error.what(), error.code() == std::errc::timed_out);
  }
}

int main() {
  coroutines();
  ranges();
  language();
  times();
  randoms();
  memory();
}
