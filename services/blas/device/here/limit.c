//===-- services/blas/device/here/limit.c - How small is small? -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/device/call.h"
#include "services/blas/device/here/here.h"
#include "services/blas/device/waiting.h"
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/// The number of multiplications that take as long as a call, plus 1. 0: not
/// known yet.
static uint32_t limit;
static bool is_being_found;

/// The most waiting calls that blas_is_here() takes into account (BLAS_LIMIT in
/// request.h).
static uint32_t most_crowd = 1;

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum { MOST_ROUNDS = 4096, QUIET_ROUNDS = 256, SIDE = 8 };
_Static_assert(SIDE *SIDE *SIDE == BLAS_LIMIT_WORK, "");

static void call_host(double *numbers) {
  blas_ddot_by_host(1, numbers, 1, numbers, 1);
}

static void multiply(double *numbers) {
  here_dgemm(BY_ROWS, NO_TRANS, NO_TRANS, SIDE, SIDE, SIDE, 1, numbers, SIDE,
             numbers + SIDE * SIDE, SIDE, 0, numbers + 2 * SIDE * SIDE, SIDE);
}

/// The shortest time of `work` in nanoseconds. Repeats it until QUIET_ROUNDS
/// rounds in a row were not shorter, because an emulated device compiles code
/// that runs often.
static uint64_t shortest(void (*work)(double *), double *numbers) {
  uint64_t best = UINT64_MAX;
  int quiet = 0;
  for (int round = 0; round < MOST_ROUNDS && quiet < QUIET_ROUNDS; ++round) {
    const uint64_t began = nanoseconds();
    work(numbers);
    const uint64_t took = nanoseconds() - began;
    quiet = took < best ? 0 : quiet + 1;
    best = took < best ? took : best;
  }
  return best;
}

/// Asks the service for the limit plus 1, and measures if it wants that. 0: the
/// limit is not known.
static uint32_t ask_limit(void) {
  uint32_t known = 0;
  int is_wanted = 0;
  uint32_t crowd = 1;
  if (!blas_ask_limit(0, 0, &known, &is_wanted, &crowd))
    return 0;
  __atomic_store_n(&most_crowd, crowd, __ATOMIC_RELAXED);
  if (!is_wanted)
    return known;
  double *numbers = calloc(3 * SIDE * SIDE, sizeof *numbers);
  if (!numbers)
    return known;
  const uint64_t call = shortest(call_host, numbers);
  blas_ask_limit(call, shortest(multiply, numbers), &known, &is_wanted, &crowd);
  free(numbers);
  return known;
}

/// Finds the limit plus 1, in one thread; for other threads it is 1 meanwhile,
/// so that the host does their calls.
static uint32_t find_limit(void) {
  bool expected = false;
  if (!__atomic_compare_exchange_n(&is_being_found, &expected, true, false,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return 1;
  const uint32_t found = ask_limit();
  __atomic_store_n(&limit, found ? found : 1, __ATOMIC_RELAXED);
  return found ? found : 1;
}

int blas_is_here(double work) {
  if (!(work > 0) || work > (double)BLAS_MOST_LIMIT * BLAS_MOST_CROWD)
    return 0;
  uint32_t known = __atomic_load_n(&limit, __ATOMIC_RELAXED);
  if (!known)
    known = find_limit();
  if (work <= known - 1)
    return 1;
  // If the host does small calls one after the other, a call also waits for
  // those of other threads.
  const uint32_t most = __atomic_load_n(&most_crowd, __ATOMIC_RELAXED);
  if (most <= 1)
    return 0;
  const uint32_t crowd = 1 + blas_waiting_calls();
  return work <= (double)(known - 1) * (double)(crowd < most ? crowd : most);
}
