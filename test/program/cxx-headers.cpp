// C++ without a library: <new>, <initializer_list> and the C headers by their C++ names.
// RUN: %gpucc -x c++ -std=c++20 -O2 %s -o %t -lm
// RUN: %run %t | FileCheck %s
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfenv>
#include <cfloat>
#include <cinttypes>
#include <climits>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <cwctype>
#include <initializer_list>
#include <new>

struct Point {
  int x, y;
  Point(int x, int y) : x(x), y(y) {}
  ~Point() { std::printf("gone %d\n", x); }
};

static int sum(std::initializer_list<int> list) {
  int total = 0;
  for (int value : list)
    total += value;
  return total + static_cast<int>(list.size());
}

int main() {
  // CHECK: placed 3 4
  alignas(Point) unsigned char room[sizeof(Point)];
  Point *placed = new (room) Point(3, 4);
  std::printf("placed %d %d\n", placed->x, std::launder(placed)->y);
  // CHECK-NEXT: gone 3
  placed->~Point();
  // CHECK-NEXT: gone 5
  delete new (std::nothrow) Point(5, 6);
  // CHECK-NEXT: aligned 1
  struct alignas(64) Wide { char bytes[64]; };
  Wide *wide = new Wide[3];
  std::printf("aligned %d\n", reinterpret_cast<std::uintptr_t>(wide) % 64 == 0);
  delete[] wide;
  // CHECK-NEXT: sum 13
  std::printf("sum %d\n", sum({1, 2, 3, 4}) - 1);
  // CHECK-NEXT: 1 0 1.500000 2.25 3 1
  std::printf("%d %d %f %g %ld %d\n", std::isnan(NAN), std::isinf(1.0f), std::abs(-1.5), std::pow(1.5f, 2.0f), std::abs(-3l),
              std::isfinite(2.0));
  // CHECK-NEXT: 5 9223372036854775807 A
  std::printf("%zu %" PRIdMAX " %c\n", std::strlen("hello"), INTMAX_MAX, std::toupper('a'));
  assert(errno == 0);
  return 0;
}
