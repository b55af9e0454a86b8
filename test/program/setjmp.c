// setjmp and longjmp in one thread print what they print on the host: jumps that are nested, repeated and out of recursion,
// loops and switches, setjmp in every context that C allows, buffers anywhere, calls of every kind.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -O0 %s -o %t.0
// RUN: %gpucc -O1 %s -o %t.1
// RUN: %gpucc -O3 %s -o %t.3
// RUN: %t.host > %t.expected
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.1 | diff %t.expected -
// RUN: %run %t.3 | diff %t.expected -
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
static jmp_buf global;
static volatile int zero;

NOINLINE static void jump(jmp_buf where, int value) { longjmp(where, value); }
NOINLINE static void maybe(jmp_buf where, int value) {
  if (value)
    longjmp(where, value);
}

static void conditions(void) {
  volatile int round = 0;
  if (setjmp(global))
    puts("if");
  else
    jump(global, 1);
  if (!setjmp(global))
    jump(global, 1);
  else
    puts("if not");
  if (setjmp(global) == 3)
    puts("if equal");
  else
    jump(global, 3);
  while (setjmp(global) < 4)
    jump(global, ++round);
  printf("while %d\n", round);
  switch (setjmp(global)) {
  case 0: jump(global, 7);
  case 7: puts("switch 7"); jump(global, 9); break;
  case 9: puts("switch 9"); break;
  default: puts("switch default");
  }
  round = 0;
  do {
    if (round > 2)
      break;
    ++round;
  } while (!setjmp(global) || round < 9);
  printf("do %d\n", round);
  for (round = 0; setjmp(global) <= 5; ++round)
    if (round == 2) {
      round = 40;
      jump(global, 6);
    }
  printf("for %d\n", round);
  setjmp(global);
  if (++round < 45)
    jump(global, zero);
  (void)setjmp(global);
  if (++round < 50)
    jump(global, 1);
  printf("statement %d\n", round);
  switch (setjmp(global)) {
  case 0: longjmp(global, 0); // becomes 1
  case 1: puts("0 becomes 1"); break;
  }
}

static void repeated(void) {
  volatile int count = 0;
  volatile long sum = 0;
  const int value = setjmp(global);
  sum += value;
  if (count++ < 1000)
    jump(global, count);
  printf("repeated %d %ld\n", count, sum);
}

NOINLINE static int descend(int depth, jmp_buf where) {
  char text[20];
  snprintf(text, sizeof text, "%d", depth);
  if (depth == 0)
    longjmp(where, 5);
  return descend(depth - 1, where) + (int)strlen(text);
}

static void nested(void) {
  jmp_buf outer, inner;
  volatile int step = 0;
  int at = setjmp(outer);
  if (at == 0) {
    if (setjmp(inner) == 0)
      jump(inner, 1);
    step = step + 1;
    int again = setjmp(inner);
    if (again == 0)
      descend(10, inner);
    step = step + again;
    descend(20, outer);
    puts("never");
  }
  printf("nested %d %d\n", at, step);
}

// Each activation has its own place: the jump goes to the one that is asked for.
static jmp_buf levels[10];
NOINLINE static int recursive(int level, int target) {
  volatile int mine = level * level;
  const int value = setjmp(levels[level]);
  if (value)
    return printf("level %d (%d) got %d\n", level, mine, value);
  if (level == 9)
    longjmp(levels[target], 100 + target);
  const int result = recursive(level + 1, target);
  printf("back in %d\n", level);
  return result + 1;
}

static void loops(void) {
  jmp_buf out;
  volatile int i = 0, j = 0;
  if (!setjmp(out))
    for (i = 0;; ++i)
      for (j = 0; j < 5; ++j)
        switch (i * 5 + j) {
        case 17: jump(out, 1); break;
        default: maybe(out, zero);
        }
  printf("loops %d %d\n", i, j);
  for (int k = 0; k < 3; ++k) {
    jmp_buf each;
    volatile int tries = 0;
    int value = setjmp(each);
    tries = tries + 1;
    if (value < 2 + k)
      jump(each, value + 1);
    printf("k %d: %d tries\n", k, tries);
  }
}

static void unchanged(int argument) {
  jmp_buf here;
  int before = argument * 3;
  char text[16] = "before";
  double real = argument / 2.0;
  const char *pointer = text + 2;
  struct {
    int a, b;
  } pair = {argument, before};
  volatile int changed = 1;
  if (!setjmp(here)) {
    changed = 2;
    descend(argument, here);
  }
  printf("unchanged %d %s %g %s %d %d %d %d\n", before, text, real, pointer, pair.a, pair.b, changed, argument);
}

static struct holder {
  int magic;
  jmp_buf place;
  struct holder *next;
} *handlers;

NOINLINE static void throw(int value) {
  struct holder *top = handlers;
  handlers = top->next;
  longjmp(top->place, value);
}
#define TRY(holder) ((holder)->next = handlers, handlers = (holder), !setjmp((holder)->place))

NOINLINE static int protect(int depth) {
  struct holder *holder = malloc(sizeof *holder);
  volatile int result = -1;
  if (TRY(holder)) {
    if (depth == 0)
      throw(1);
    result = protect(depth - 1);
    throw(2);
  } else {
    result = result + depth;
  }
  free(holder);
  return result;
}

static void two_buffers(int which) {
  jmp_buf first, second;
  volatile int seen = 0;
  if (setjmp(first)) {
    seen |= 1;
    if (seen == 3)
      goto end;
    jump(second, 1);
  }
  if (setjmp(second)) {
    seen |= 2;
    if (seen == 3)
      goto end;
    jump(first, 1);
  }
  jump(*(which ? &first : &second), 1);
end:
  printf("two buffers %d\n", seen);
}

NOINLINE static int variadic(jmp_buf where, int count, ...) {
  va_list list;
  va_start(list, count);
  long sum = 0;
  while (count--)
    sum += va_arg(list, int);
  va_end(list);
  maybe(where, (int)sum);
  return 1;
}
struct big {
  long words[10];
};
NOINLINE static struct big give_big(jmp_buf where, int value) {
  maybe(where, value);
  return (struct big){{1, 2, 3}};
}
NOINLINE static uint64_t give_64(jmp_buf where, int value) {
  maybe(where, value);
  return 0x123456789abcdefull;
}
NOINLINE static double give_double(jmp_buf where, int value) {
  maybe(where, value);
  return 2.5;
}
NOINLINE static void *give_pointer(jmp_buf where, int value) {
  maybe(where, value);
  return &zero;
}

static void results(void) {
  jmp_buf here;
  for (volatile int i = 0; i < 6; ++i) {
    const int value = setjmp(here);
    if (value) {
      printf("jumped %d\n", value);
      continue;
    }
    struct big big = give_big(here, i == 1 ? 11 : zero);
    printf("%ld %llx\n", big.words[2], (unsigned long long)give_64(here, i == 2 ? 12 : zero));
    printf("%g\n", give_double(here, i == 3 ? 13 : zero));
    printf("%d\n", give_pointer(here, i == 4 ? 14 : zero) == &zero);
    printf("%d\n", variadic(here, i == 5 ? 3 : zero, 4, 5, 6));
  }
}

static void by_copy(void) {
  jmp_buf here, copy;
  volatile int rounds = 0;
  setjmp(here);
  memcpy(copy, here, sizeof copy);
  if (++rounds < 3)
    longjmp(copy, 1);
  jmp_buf *heap = malloc(sizeof *heap);
  if (setjmp(*heap) < 3)
    jump(*heap, ++rounds - 2);
  free(heap);
  printf("by copy %d\n", rounds);
}

NOINLINE static int sum_to(int n, jmp_buf where) {
  int variable[n];
  for (int i = 0; i < n; ++i)
    variable[i] = i;
  maybe(where, n > 6 ? variable[n - 1] : zero);
  return variable[n - 1];
}
static void variable_lengths(void) {
  jmp_buf here;
  volatile int n = 1;
  int mine[n + 3];
  mine[0] = 77;
  while (!setjmp(here))
    printf("%d ", sum_to(n++, here));
  printf("variable length %d, %d\n", n, mine[0]);
}

typedef void function(jmp_buf, int);
static function *volatile functions[] = {maybe, jump};
static void through_pointers(void) {
  jmp_buf here;
  volatile int i = 0;
  int value = setjmp(here);
  if (!value)
    for (i = 0; i < 2; i++)
      functions[i](here, i);
  printf("through pointers %d %d\n", i, value);
  void (*volatile away)(jmp_buf, int) = longjmp;
  value = setjmp(here);
  if (!value)
    away(here, 8);
  printf("longjmp through a pointer %d\n", value);
}

int main(void) {
  conditions();
  repeated();
  nested();
  for (int target = 0; target < 10; target += 3)
    printf("%d\n", recursive(0, target));
  loops();
  for (int i = 0; i < 3; ++i)
    unchanged(i * 4);
  printf("protect %d\n", protect(6));
  two_buffers(0);
  two_buffers(1);
  results();
  by_copy();
  variable_lengths();
  through_pointers();
  return 0;
}
