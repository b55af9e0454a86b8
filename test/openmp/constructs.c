// Constructs and clauses that the other tests lack: masked with filter, scope, ordered with threads and simd, order(concurrent), loop
// with bind, sections in regions, atomic with all clauses, critical with hints, flush with orders, declare simd, variants, nothing,
// assume, tile, unroll, conditional lastprivate, linear, allocate, copyin, copyprivate, data-sharing defaults.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 128 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 64 --blocks 3 %t.2 | FileCheck %s
// RUN: %run --threads 100 --blocks 2 %t.2 | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 200 };

static unsigned hash_of(const int *numbers, int count) {
  unsigned hash = 0;
  for (int i = 0; i < count; ++i)
    hash = hash * 31 + (unsigned)numbers[i];
  return hash;
}

static void masked(void) {
  int first = 0, last = -1, all = 0, none = 0;
  const int most = omp_get_max_threads();
#pragma omp parallel
  {
#pragma omp masked
    first += omp_get_thread_num() + 1;
#pragma omp masked filter(omp_get_num_threads() - 1)
    last = omp_get_thread_num();
#pragma omp masked filter(omp_get_thread_num())
    {
#pragma omp atomic
      all++;
    }
#pragma omp masked filter(most + 5)
    none++;
#pragma omp master
    first += 10;
  }
#pragma omp parallel masked
  first += 100;
  printf("masked: %d %d %d %d\n", first, last == most - 1, all == most, none);
}

static void scope(void) {
  int sum = 0, a = 7, most = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum) reduction(max : most) private(a)
    {
      a = omp_get_thread_num();
      sum += a;
      most = a;
    }
#pragma omp scope nowait private(a)
    a = 1;
  }
  const int n = omp_get_max_threads();
  printf("scope: %d %d %d\n", sum == n * (n - 1) / 2, most == n - 1, a);
}

static void ordered(void) {
  int order[SIZE], at = 0, lanes[SIZE], wrong = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < SIZE; ++i) {
    const int twice = 2 * i;
#pragma omp ordered threads
    order[at++] = twice;
  }
#pragma omp simd
  for (int i = 0; i < SIZE; ++i) {
    lanes[i] = 3 * i;
#pragma omp ordered simd
    {
      wrong += i && lanes[i] != lanes[i - 1] + 3;
    }
  }
#pragma omp parallel for simd ordered
  for (int i = 0; i < SIZE; ++i) {
#pragma omp ordered threads simd
    lanes[i] += order[i];
  }
#pragma omp parallel for ordered(2) collapse(2)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      order[i * 20 + j] = (i ? order[i * 20 - 20 + j] : 1) + (j ? order[i * 20 + j - 1] : 2) * 3 % 1000;
#pragma omp ordered depend(source)
    }
  printf("ordered: %d %u %u %d\n", at, hash_of(lanes, SIZE), hash_of(order, SIZE), wrong);
}

static void loops(void) {
  int a[SIZE], b[SIZE], n = 3, last = -1, conditional = -1, previous = 5;
  long sum = 0;
#pragma omp parallel for order(concurrent)
  for (int i = 0; i < SIZE; ++i)
    a[i] = i;
#pragma omp parallel
  {
#pragma omp loop bind(parallel)
    for (int i = 0; i < SIZE; ++i)
      b[i] = a[i] * 2;
#pragma omp loop bind(thread)
    for (int i = 0; i < 10; ++i)
      (void)i;
  }
#pragma omp parallel for lastprivate(conditional : conditional) schedule(static, 3)
  for (int i = 0; i < SIZE; ++i)
    if (i % 7 == 3 && i < 150)
      conditional = i;
#pragma omp parallel for linear(n : 3) firstprivate(previous) lastprivate(last)
  for (int i = 0; i < SIZE; ++i) {
    a[i] += n + previous;
    n += 3;
    last = 2 * i;
  }
#pragma omp simd collapse(2) simdlen(4) aligned(a : 4) nontemporal(b) if (n > 0) reduction(+ : sum) lastprivate(previous)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j) {
      sum += a[i * 20 + j] - b[i * 20 + j];
      previous = i + j;
    }
#pragma omp parallel for collapse(2) schedule(guided) reduction(+ : sum)
  for (int i = 0; i < 17; ++i)
    for (int j = 3 * i; j > i; j -= 2)
      sum += i * j;
#pragma omp parallel for
#pragma omp tile sizes(3, 5)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j)
      a[i * 20 + j] ^= j;
#pragma omp unroll full
  for (int i = 0; i < 4; ++i)
    a[i]++;
  printf("loops: %u %ld %d %d %d %d\n", hash_of(a, SIZE), sum, n, last, conditional, previous);
}

static void sections(void) {
  int ran[4] = {0}, last = 0, sum = 0;
#pragma omp parallel
  {
#pragma omp sections lastprivate(last) reduction(+ : sum) nowait
    {
      {
        ran[0]++;
        sum += 1;
        last = 1;
      }
#pragma omp section
      {
        ran[1]++;
        sum += 10;
        last = 2;
      }
#pragma omp section
      {
        ran[2]++;
        sum += 100;
        last = 3;
      }
    }
#pragma omp barrier
#pragma omp sections
    {
      ran[3]++;
    }
  }
  printf("sections: %d %d %d %d %d %d\n", ran[0], ran[1], ran[2], ran[3], last, sum);
}

static void atomics(void) {
  int x = 0, y = 5, v = 0, most = -1, first = -1, once = 0, swapped = 0;
  double d = 0;
  unsigned char c = 0;
  long seen = 0;
  const int n = omp_get_max_threads();
#pragma omp parallel
  {
    double half;
    int before, after, me = omp_get_thread_num(), won, old;
#pragma omp atomic capture seq_cst
    before = x++;
#pragma omp atomic capture acq_rel hint(omp_sync_hint_contended)
    {
      d += 0.5;
      half = d;
    }
#pragma omp atomic update relaxed
    seen += before + (int)(2 * half);
#pragma omp atomic
    c = 3 ^ c;
#pragma omp atomic compare
    if (most < me) {
      most = me;
    }
#pragma omp atomic compare capture
    {
      old = first;
      if (first == -1) {
        first = me;
      }
    }
#pragma omp atomic compare capture fail(relaxed) seq_cst
    {
      won = y == 5;
      if (won) {
        y = 6;
      }
    }
    if (old == -1) {
#pragma omp atomic
      once++;
    }
    if (won) {
#pragma omp atomic
      swapped++;
    }
#pragma omp atomic write release
    v = 7;
#pragma omp atomic read acquire
    after = v;
    if (after != 7)
      abort();
  }
  printf("atomic: %d %d %d %d %d %d %d %d\n", x == n, d == n * 0.5, seen == (long)n * n, c == (n % 2 ? 3 : 0), most == n - 1,
         once, swapped, y);
}

static void exclusive(void) {
  int count = 0, flag = 0, data = 0;
#pragma omp parallel
  {
#pragma omp critical(named) hint(omp_sync_hint_contended)
    count++;
#pragma omp critical(other)
    {
#pragma omp critical(named) hint(omp_sync_hint_contended)
      count++;
    }
#pragma omp single nowait
    {
      data = 42;
#pragma omp flush release
#pragma omp atomic write
      flag = 1;
    }
#pragma omp barrier
#pragma omp flush acquire
#pragma omp flush(data) // a list
#pragma omp flush acq_rel
#pragma omp flush seq_cst
#pragma omp single
    count += data * flag;
  }
  printf("exclusive: %d\n", count - 2 * omp_get_max_threads());
}

static int inherited = 3, untouched[3] = {1, 2, 3};
#pragma omp threadprivate(inherited, untouched)
static void environment(void) {
  int wrong = 0, a = 1, b = 2, many[50], *own = NULL;
  double large[4] = {1, 2, 3, 4};
  for (int i = 0; i < 50; ++i)
    many[i] = i;
  inherited = 9;
  untouched[2] = 30;
#pragma omp parallel copyin(inherited, untouched) reduction(+ : wrong)
  wrong += inherited++ != 9 || untouched[2] != 30;
#pragma omp parallel default(none) shared(a) firstprivate(b, many, large) private(own) reduction(+ : wrong)
  {
    own = &b;
    *own += omp_get_thread_num();
    many[7] += b;
    large[3] += b;
    wrong += b != 2 + omp_get_thread_num() || many[7] != 7 + b || large[3] != 4 + b || a != 1;
  }
#pragma omp parallel default(firstprivate) shared(wrong)
  {
    a += 10;
    b += a;
    if (b != 13) {
#pragma omp atomic
      wrong++;
    }
  }
#pragma omp parallel default(private) reduction(+ : wrong)
  {
    a = omp_get_thread_num();
    wrong += a != omp_get_thread_num();
  }
  struct {
    char text[20];
    int numbers[5];
  } told = {"", {0}};
#pragma omp parallel private(a) firstprivate(told) reduction(+ : wrong)
  for (int round = 0; round < 5; ++round) {
#pragma omp single copyprivate(a, told)
    {
      a = 100 + round;
      strcpy(told.text, "told");
      told.numbers[4] = round;
    }
    wrong += a != 100 + round || strcmp(told.text, "told") || told.numbers[4] != round;
  }
  printf("environment: %d wrong, %d %d %g %d\n", wrong, a, b, large[3], many[7]);
}

static void allocated(void) {
  int wrong = 0, sum = 0;
  int plain[10];
#pragma omp allocate(plain) allocator(omp_default_mem_alloc)
  plain[5] = 1;
#pragma omp parallel private(plain) reduction(+ : wrong, sum) allocate(omp_default_mem_alloc : plain, sum)
  {
    plain[3] = omp_get_thread_num();
    sum += 1;
    wrong += plain[3] != omp_get_thread_num();
  }
  wrong += sum != omp_get_max_threads();
  printf("allocate: %d wrong\n", wrong);
}

#pragma omp declare simd uniform(factor) linear(i : 1) notinbranch
static int scaled(int i, int factor) { return i * factor; }
static int plain_variant(int i) { return i + 1; }
static int parallel_variant(int i) { return i + 1000; }
#pragma omp declare variant(parallel_variant) match(construct = {parallel})
static int base(int i) { return plain_variant(i); }

static void declared(void) {
  int sum = 0, outside = base(1), inside = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < 50; ++i)
    sum += scaled(i, 3);
#pragma omp parallel num_threads(1)
  inside = base(1);
#pragma omp nothing
#pragma omp assume holds(sum > 0) no_openmp_routines
  {
    sum++;
  }
#pragma omp metadirective when(implementation = {vendor(llvm)} : parallel for reduction(+ : sum)) default(nothing)
  for (int i = 0; i < 10; ++i)
    sum += i;
  printf("declared: %d %d %d\n", sum, outside, inside);
}

int main(void) {
  masked();
  scope();
  ordered();
  loops();
  sections();
  atomics();
  exclusive();
  environment();
  allocated();
  declared();
  return 0;
}
// CHECK: masked: 111 1 1 0
// CHECK: scope: 1 1 7
// CHECK: ordered: 200 2177808884 1049911656 0
// CHECK: loops: 2686572532 79888 603 398 143 28
// CHECK: sections: 1 1 1 1 3 111
// CHECK: atomic: 1 1 1 1 1 1 1 6
// CHECK: exclusive: 42
// CHECK: environment: 0 wrong, 1 2 4 7
// CHECK: allocate: 0 wrong
// CHECK: declared: 3721 2 1001
