//===-- libc-shim/stdlib/initstate.c - The state of random() --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/stdlib/random_generator.h"
#include <errno.h>
#include <stdlib.h>

/// Stores the generator's type and position in the word before its words, the
/// first one of the caller's memory.
static void save(random_state *s) {
  s->words[-1] = s->type + RANDOM_GENERATORS * s->rear;
}

char *initstate(unsigned value, char *memory, size_t size) {
  if (size < __random_generators[0].bytes) {
    errno = EINVAL;
    return NULL;
  }
  random_state *s = __random_state();
  save(s);
  char *old = (char *)(s->words - 1);
  s->type = RANDOM_GENERATORS - 1;
  while (size < __random_generators[s->type].bytes)
    s->type--;
  s->words = (int32_t *)memory + 1;
  __random_fill(s, value);
  save(s);
  return old;
}

char *setstate(char *memory) {
  random_state *s = __random_state();
  int32_t *words = (int32_t *)memory + 1;
  const int32_t type = words[-1] % RANDOM_GENERATORS,
                rear = words[-1] / RANDOM_GENERATORS;
  if (words[-1] < 0 || rear >= (type ? __random_generators[type].degree : 1)) {
    errno = EINVAL;
    return NULL;
  }
  save(s);
  char *old = (char *)(s->words - 1);
  s->words = words;
  s->type = type;
  s->rear = rear;
  s->front = type ? (rear + __random_generators[type].separation) %
                        __random_generators[type].degree
                  : 0;
  return old;
}
