// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What CoreMark does, in our own words: walks and sorts a linked list, multiplies small matrices, runs a state machine
   over a text, and sums it all up with a CRC. A unit is one round of the four. */
#include "workload.h"

struct item {
  struct item *next;
  uint16_t key, data;
};

static uint16_t crc(uint16_t sum, uint32_t value) {
  for (int bit = 0; bit < 32; bit++) {
    uint16_t mix = (sum ^ (uint16_t)value) & 1;
    sum >>= 1;
    if (mix)
      sum ^= 0xa001;
    value >>= 1;
  }
  return sum;
}

static struct item *merge(struct item *a, struct item *b) {
  struct item head, *last = &head;
  while (a && b) {
    struct item **smaller = a->key <= b->key ? &a : &b;
    last = last->next = *smaller;
    *smaller = (*smaller)->next;
  }
  last->next = a ? a : b;
  return head.next;
}

static uint16_t list_work(struct item *items, int count, uint32_t seed) {
  struct item *runs[8] = {0}, *list = 0;
  for (int i = 0; i < count; i++) {
    items[i].key = (uint16_t)((seed = seed * 1664525u + 1013904223u) >> 16);
    items[i].data = (uint16_t)i;
    struct item *run = &items[i];
    run->next = 0;
    int level = 0;
    for (; runs[level]; level++) {
      run = merge(runs[level], run);
      runs[level] = 0;
    }
    runs[level] = run;
  }
  for (int i = 0; i < 8; i++)
    list = merge(list, runs[i]);
  uint16_t sum = 0, found = 0;
  for (struct item *i = list; i; i = i->next) {
    sum = (uint16_t)(sum * 31 + i->key);
    found += (i->data & 7) == 3;
  }
  return (uint16_t)(sum + found);
}

static uint32_t matrix_work(uint32_t seed) {
  enum { N = 10 };
  int16_t a[N][N], b[N][N];
  uint32_t sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (int16_t)((seed = seed * 134775813u + 1) >> 20);
      b[i][j] = (int16_t)(seed >> 12 & 0xff);
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int32_t c = 0;
      for (int k = 0; k < N; k++)
        c += a[i][k] * b[k][j];
      sum += (uint32_t)c >> 2 & 0xffff;
    }
  return sum;
}

/* Classifies words of a text as numbers of various kinds, or none. */
static uint32_t state_work(uint32_t seed) {
  static const char alphabet[] = "0123456789+-.eE, x";
  enum { START, SIGN, DIGITS, FRACTION, EXPONENT, OTHER, STATES } state = START;
  uint32_t counts[STATES] = {0};
  for (int i = 0; i < 200; i++) {
    char c = alphabet[(seed = seed * 1664525u + 1013904223u) >> 20 & 15];
    int digit = c >= '0' && c <= '9';
    if (c == ',' || c == ' ') {
      counts[state]++;
      state = START;
      continue;
    }
    switch (state) {
    case START: state = digit ? DIGITS : c == '+' || c == '-' ? SIGN : c == '.' ? FRACTION : OTHER; break;
    case SIGN: state = digit ? DIGITS : c == '.' ? FRACTION : OTHER; break;
    case DIGITS: state = digit ? DIGITS : c == '.' ? FRACTION : c == 'e' || c == 'E' ? EXPONENT : OTHER; break;
    case FRACTION: state = digit ? FRACTION : c == 'e' || c == 'E' ? EXPONENT : OTHER; break;
    case EXPONENT: state = digit || c == '-' || c == '+' ? EXPONENT : OTHER; break;
    default: break;
    }
    if (state == OTHER && i % 16 == 0)
      state = START;
  }
  uint32_t sum = 0;
  for (int i = 0; i < STATES; i++)
    sum = sum * 17 + counts[i];
  return sum;
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct item items[100];
  uint16_t sum = (uint16_t)seed;
  for (unsigned unit = 0; unit < units; unit++) {
    sum = crc(sum, list_work(items, 100, seed + unit));
    sum = crc(sum, matrix_work(seed + unit));
    sum = crc(sum, state_work(seed ^ unit));
  }
  return sum;
}
