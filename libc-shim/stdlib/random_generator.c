//===-- libc-shim/stdlib/random_generator.c - glibc's generator -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An additive feedback generator, x[i] = x[i-degree] + x[i-separation], whose
// lowest bit is dropped. A state of 8 bytes holds a linear congruential
// generator instead.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdlib/random_generator.h"
#include "libc-shim/device/thread_state.h"

const random_generator __random_generators[] = {
    {0, 0, 8}, {7, 3, 32}, {15, 1, 64}, {31, 3, 128}, {63, 1, 256}};

static int32_t step(random_state *s) {
  int32_t *words = s->words;
  if (s->type == 0)
    return words[0] = (words[0] * 1103515245u + 12345u) & 0x7fffffff;
  const int degree = __random_generators[s->type].degree;
  uint32_t sum = words[s->front] = (uint32_t)words[s->front] + words[s->rear];
  s->front = s->front + 1 == degree ? 0 : s->front + 1;
  s->rear = s->rear + 1 == degree ? 0 : s->rear + 1;
  return (int32_t)(sum >> 1);
}

void __random_fill(random_state *s, unsigned value) {
  s->words[0] = value ? value : 1;
  const int degree = __random_generators[s->type].degree;
  // Park and Miller's generator fills the words.
  for (int i = 1; i < degree; i++) {
    int64_t word = (int64_t)16807 * s->words[i - 1] % 2147483647;
    s->words[i] = (int32_t)(word < 0 ? word + 2147483647 : word);
  }
  s->front = __random_generators[s->type].separation;
  s->rear = 0;
  for (int i = 0; i < 10 * degree; i++)
    step(s);
}

random_state *__random_state(void) {
  random_state *s = &__thread_state()->random;
  if (!s->words) {
    s->words = s->own + 1;
    s->type = RANDOM_DEFAULT;
    __random_fill(s, 1);
  }
  return s;
}

int32_t __random_next(void) { return step(__random_state()); }
void __random_seed(unsigned value) { __random_fill(__random_state(), value); }
