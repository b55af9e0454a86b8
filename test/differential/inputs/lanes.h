//===-- test/differential/inputs/lanes.h - The same work on host and device ===//
// A program defines `void lane(unsigned lane)`; the host calls it 64 times. On
// the device 64 lanes of a wave do it at once, or fewer threads several times
// each: waves of one thread run compiled code. With ONE_THREAD the compiler need
// not mind other lanes, as in most programs. Values go into named checksums that
// do not depend on the order; with a name as argument its values are printed
// instead, in the order of their keys once sorted. NaN are all alike.
//===----------------------------------------------------------------------===//
#ifndef LANES_H
#define LANES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef ONE_THREAD
#define ON_DEVICE 0
#elif defined(__AMDGPU__)
#include <gpuintrin.h>
#define ON_DEVICE 1
#elif defined(__NVPTX__)
#include <gpuintrin.h>
#define ON_DEVICE 1
#else
#define ON_DEVICE 0
#endif

enum { LANES = 64, CHECKS = 256 };

#ifdef __cplusplus
extern "C" {
#endif

static struct {
  const char *name;
  uint64_t sum;
} checks[CHECKS];
static const char *shown; // the check whose values are printed

/// To be called by every lane for each name, in the same order.
static unsigned check_named(unsigned number, const char *name) {
  checks[number].name = name;
  return number;
}

static uint64_t mix(uint64_t v) {
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
  v = (v ^ v >> 27) * 0x94d049bb133111ebu;
  return v ^ v >> 31;
}

/// Value number `key` of a check.
static void record(unsigned check, uint64_t key, uint64_t value) {
  __atomic_fetch_add(&checks[check].sum, mix(value + mix(key)), __ATOMIC_RELAXED);
  if (shown && !strcmp(shown, checks[check].name))
    printf("%s %016llx %016llx\n", shown, (unsigned long long)key, (unsigned long long)value);
}
static void record_float(unsigned check, uint64_t key, float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  record(check, key, v != v ? 0x7fc00000 : bits);
}
static void record_double(unsigned check, uint64_t key, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  record(check, key, v != v ? 0x7ff8000000000000u : bits);
}

/// A stream of random numbers that is the same everywhere.
static uint64_t random_at(uint64_t seed, uint64_t i) { return mix(mix(seed) + i * 0x9e3779b97f4a7c15u); }

void lane(unsigned lane);

int main(int argc, char **argv) {
  shown = argc > 1 ? argv[1] : 0;
#if ON_DEVICE
  const unsigned threads = __gpu_num_threads_x(), blocks = __gpu_num_blocks_x();
  __gpu_sync_threads();
  for (unsigned i = __gpu_block_id_x() * threads + __gpu_thread_id_x(); i < LANES; i += blocks * threads)
    lane(i);
  __gpu_sync_threads();
  static unsigned finished; // blocks
  if (__gpu_thread_id_x() || __atomic_add_fetch(&finished, 1, __ATOMIC_ACQ_REL) != blocks)
    return 0;
#else
  for (unsigned i = 0; i < LANES; ++i)
    lane(i);
#endif
  for (unsigned i = 0; i < CHECKS && !shown; ++i)
    if (checks[i].name)
      printf("%s %016llx\n", checks[i].name, (unsigned long long)__atomic_load_n(&checks[i].sum, __ATOMIC_RELAXED));
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif
