// A thread keeps the memory of its last exception for its next one (libc-shim/unwind/exception_memory.cpp): exceptions that live at
// the same time have memory of their own, also when another thread has the last of them, and what an ended thread kept is freed.
// RUN: %hostcxx -std=c++17 -pthread %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <cstdio>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <set>

template <int BYTES> struct Large {
  char bytes[BYTES];
  explicit Large(char fill) { memset(bytes, fill, BYTES); }
  bool holds(char fill) const {
    for (char c : bytes)
      if (c != fill)
        return false;
    return true;
  }
};
template <int BYTES> static std::exception_ptr made(char fill) {
  try {
    throw Large<BYTES>(fill);
  } catch (...) {
    return std::current_exception();
  }
}
template <int BYTES> static bool holds(const std::exception_ptr &kept, char fill) {
  try {
    std::rethrow_exception(kept);
  } catch (const Large<BYTES> &large) {
    return large.holds(fill);
  }
}
static int nested(int depth) {
  try {
    throw depth;
  } catch (int own) {
    return depth ? nested(depth - 1) * 2 + (own == depth) : own == depth;
  }
}
template <typename CALL> static void in_thread(CALL call) {
  pthread_t thread;
  const auto run = [](void *function) -> void * {
    (*static_cast<CALL *>(function))();
    return nullptr;
  };
  pthread_create(&thread, nullptr, run, &call);
  pthread_join(thread, nullptr);
}
/// Where the exception lies that a new thread throws.
static const void *place_in_thread() {
  const void *place = nullptr;
  in_thread([&] {
    try {
      throw Large<40>('t');
    } catch (const Large<40> &large) {
      place = &large;
    }
  });
  return place;
}

int main() {
  printf("nested: %d\n", nested(9));

  std::exception_ptr all[6];
  for (int k = 0; k < 6; ++k)
    all[k] = k % 2 ? made<40>('a' + k) : made<2000>('a' + k);
  for (int k = 0; k < 6; ++k)
    printf("%d: %d\n", k, k % 2 ? holds<40>(all[k], 'a' + k) : holds<2000>(all[k], 'a' + k));
  for (std::exception_ptr &each : all)
    each = nullptr;

  std::exception_ptr of_thread;
  in_thread([&] { of_thread = made<40>('x'); });
  std::exception_ptr other = made<40>('y'), third = made<40>('z');
  printf("of an ended thread: %d %d %d\n", holds<40>(of_thread, 'x'), holds<40>(other, 'y'), holds<40>(third, 'z'));
  std::exception_ptr freed = made<40>('f');
  in_thread([&] { freed = nullptr; });
  other = made<40>('g');
  printf("freed by another: %d %d\n", holds<40>(other, 'g'), holds<40>(third, 'z'));

  std::set<const void *> places;
  for (int k = 0; k < 100; ++k)
    places.insert(place_in_thread());
  printf("kept after their threads: %d\n", places.size() > 20);
}
