// 64 lanes that each work in arrays of their own, from malloc and on their stacks, with each size of element, some of them
// unaligned, and in part of the lanes only. Then one lane of a block uses a bad pointer. The baseline compiler has code of its
// own for such waves.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: for level in v2 v3 v4; do GPUEXEC_EMULATOR_LEVEL=$level %run --threads 64 --blocks 2 %t | FileCheck %s || { echo "failed: level=$level" >&2; exit 1; }; done
// RUN: for level in v3 v4; do env GPUEXEC_EMULATOR_LEVEL=$level GPUEXEC_EMULATOR_JIT=baseline %run --threads 64 --blocks 2 %t | FileCheck %s || { echo "failed: level=$level, compiled" >&2; exit 1; }; done
// RUN: %run --threads 64 --blocks 2 %t bad > %t.out 2> %t.err; test $? -eq 139
// RUN: %if emulator %{ FileCheck %s --check-prefix=BAD < %t.err %}
// CHECK: 128 threads, 0 wrong
// BAD: 0x12345678{{[0-9a-f]+}}
// BAD: block (1,0,0){{.*}}thread (37,0,0)
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t wrong, ended;

static uint32_t mixed(uint32_t x) { return (x * 2654435761u) ^ x >> 15; }

typedef struct {
  uint64_t low, high;
} wide;

// Elements k of an array that begins `shift` bytes into the object, those of `lanes` alone; then a sum from another direction.
#define USE(name, type, value)                                                                                                   \
  static __attribute__((noinline)) uint32_t use_##name(unsigned char *object, uint32_t n, uint32_t shift, uint32_t thread) {     \
    typedef struct __attribute__((packed)) {                                                                                     \
      type x;                                                                                                                    \
    } element;                                                                                                                   \
    element *a = (element *)(object + shift);                                                                                    \
    uint32_t bad = 0;                                                                                                            \
    for (uint32_t k = 0; k < n; k++)                                                                                             \
      if ((mixed(k) ^ thread) % 5)                                                                                               \
        a[k].x = value(thread * 1000 + k);                                                                                       \
      else                                                                                                                       \
        a[k].x = value(k);                                                                                                       \
    for (uint32_t k = n; k-- > 0;) {                                                                                             \
      const uint32_t is = (mixed(k) ^ thread) % 5 ? thread * 1000 + k : k;                                                       \
      const type expected = value(is), found = a[k].x;                                                                           \
      bad += __builtin_memcmp(&expected, &found, sizeof found) != 0;                                                             \
    }                                                                                                                            \
    return bad;                                                                                                                  \
  }
#define NARROW(x) ((int8_t)mixed(x))
#define SHORT(x) ((uint16_t)mixed(x))
#define WORD(x) mixed(x)
#define LONG(x) (mixed(x) | (uint64_t)(x) << 32)
#define WIDE(x)                                                                                                                  \
  (wide) { mixed(x), (uint64_t)(x) << 20 }
USE(narrow, int8_t, NARROW)
USE(shorts, uint16_t, SHORT)
USE(words, uint32_t, WORD)
USE(longs, uint64_t, LONG)
USE(wides, wide, WIDE)

int main(int argc, char **argv) {
  (void)argv;
  const uint32_t thread = __gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x();
  const uint32_t threads = __gpu_num_blocks_x() * __gpu_num_threads_x();
  enum { SIZE = 72000, N = 400 };
  unsigned char *object = malloc(SIZE);
  uint32_t bad = 0;
  for (uint32_t shift = 0; shift < 8; shift += 3) {
    bad += use_narrow(object, N, 4096 * 3 + shift, thread);
    bad += use_shorts(object, N, 4096 * 5 - 100 + shift, thread);
    bad += use_words(object, N, 4096 * 7 - 200 + shift, thread);
    bad += use_longs(object, N, 4096 * 9 - 300 + shift, thread);
    bad += use_wides(object, N, 4096 * 11 - 400 + shift, thread);
  }
  // On the stack, where the lanes' words are side by side; some lanes are elsewhere in theirs.
  unsigned char mine[640];
  for (uint32_t shift = 0; shift < 5; shift += 2) {
    unsigned char *part = mine + shift + thread % 3 * 16;
    bad += use_narrow(part, 60, 0, thread);
    bad += use_shorts(part, 60, 64, thread);
    bad += use_words(part, 60, 192, thread);
    bad += use_longs(part, 30, 256, thread);
    bad += use_wides(part, 16, 320, thread);
  }
  if (argc > 1 && thread == 64 + 37)
    object = (unsigned char *)0x123456780000;
  bad += use_longs(object, N, 0, thread);
  free(object);
  __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&ended, 1, __ATOMIC_ACQ_REL) == threads)
    printf("%u threads, %u wrong\n", threads, __atomic_load_n(&wrong, __ATOMIC_RELAXED));
  return 0;
}
