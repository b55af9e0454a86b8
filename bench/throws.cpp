// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an exception costs from throw to catch, by the number of functions between them, some of which destroy a variable;
// and what a call costs that could throw and does not, against one that cannot.
//   gpuc++ -O2 bench/throws.cpp -o throws && gpuexec throws
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <initializer_list>

#define NOINLINE __attribute__((noinline))
#ifdef __AMDGPU__
#define REGISTER "v"
#else
#define REGISTER "r"
#endif

/// Keeps LLVM from making a loop, or a sum, of a function that calls itself.
static inline int kept(int result) {
  asm volatile("" : "+" REGISTER(result));
  return result;
}

static volatile int zero;
static long destroyed;
struct Variable {
  ~Variable() { ++destroyed; }
};

NOINLINE static int plain(int depth) { return depth == 0 ? zero : kept(plain(depth - 1)) + 1; }
NOINLINE static int dive(int depth) {
  if (depth == 0) {
    if (zero == 0)
      throw depth;
    return 0;
  }
  if (depth % 2) {
    Variable variable;
    return kept(dive(depth - 1)) + 1;
  }
  return kept(dive(depth - 1)) + 1;
}
NOINLINE static int could(int depth) {
  if (depth == 0) {
    if (zero)
      throw depth;
    return 0;
  }
  return kept(could(depth - 1)) + 1;
}

static double now() {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) * 1e-3;
}

/// Microseconds from throw to catch, without those of the calls.
static double measure(int depth, int rounds) {
  double begin = now();
  int sum = 0;
  for (int i = 0; i < rounds; ++i)
    sum += plain(depth);
  const double calls = now() - begin;
  begin = now();
  for (int i = 0; i < rounds; ++i)
    try {
      sum += dive(depth);
    } catch (int n) {
      sum += n;
    }
  const double all = now() - begin;
  if (sum != rounds * depth)
    abort();
  return (all - calls) / rounds;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  measure(1, 10);
  for (int depth : {1, 10, 100})
    printf("depth %d: %.3f us from throw to catch\n", depth, measure(depth, rounds));
  int sum = 0;
  double begin = now();
  for (int i = 0; i < rounds; ++i)
    sum += plain(100);
  const double cannot = now() - begin;
  begin = now();
  for (int i = 0; i < rounds; ++i)
    sum += could(100);
  printf("100 calls: %.3f us, %.3f us if they could throw\n", cannot / rounds, (now() - begin) / rounds);
  return sum != 200 * rounds;
}
