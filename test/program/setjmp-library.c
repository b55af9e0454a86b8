// Jumps through functions of the C library and out of another file, as on the host: from qsort's and bsearch's comparison, out of
// signal handlers (with the mask, and without), out of an exit handler into itself.
// RUN: %hostcc -DOTHER -c %s -o %t.other.o
// RUN: %hostcc %s %t.other.o -o %t.host
// RUN: %gpucc -O0 -DOTHER -c %s -o %t.0.o
// RUN: %gpucc -O0 %s %t.0.o -o %t.0
// RUN: %gpucc -O2 -DOTHER -c %s -o %t.2.o
// RUN: %gpucc -O2 %s %t.2.o -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct failure {
  jmp_buf place;
  int code;
};
extern struct failure failure;
_Noreturn void fail(int code);
int deep(int depth, int (*leaf)(int));

#ifdef OTHER
struct failure failure;
_Noreturn void fail(int code) {
  failure.code = code;
  longjmp(failure.place, 1);
}
int deep(int depth, int (*leaf)(int)) { return depth ? deep(depth - 1, leaf) * 2 : leaf(depth); }
#else

static int compared;
static int compare(const void *a, const void *b) {
  if (++compared == 20)
    fail(20);
  return *(const int *)a - *(const int *)b;
}
static int search(const void *key, const void *element) {
  if (*(const int *)element == 8)
    fail(*(const int *)key);
  return *(const int *)key - *(const int *)element;
}

static void comparisons(void) {
  int numbers[100];
  for (int i = 0; i < 100; ++i)
    numbers[i] = i * 37 % 100;
  if (!setjmp(failure.place)) {
    qsort(numbers, 100, sizeof *numbers, compare);
    puts("sorted");
  } else {
    printf("qsort: %d after %d\n", failure.code, compared);
  }
  for (int i = 0; i < 17; ++i)
    numbers[i] = i;
  if (!setjmp(failure.place))
    printf("found %d\n", bsearch(&(int){8}, numbers, 17, sizeof *numbers, search) != NULL);
  else
    printf("bsearch: %d\n", failure.code);
}

static int leaf(int value) {
  if (!value)
    fail(42);
  return value;
}

static sigjmp_buf out;
static volatile sig_atomic_t handled;
static void handler(int number) {
  ++handled;
  siglongjmp(out, number);
}
static int is_blocked(int number) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, number);
}

static void signals(void) {
  signal(SIGUSR1, handler);
  for (volatile int i = 0; i < 3; ++i)
    if (sigsetjmp(out, 1) == 0) {
      raise(SIGUSR1);
      puts("never");
    } else {
      printf("handled %d, blocked %d\n", handled, is_blocked(SIGUSR1));
    }
  if (sigsetjmp(out, 0) == 0)
    raise(SIGUSR1);
  else
    printf("without mask: blocked %d\n", is_blocked(SIGUSR1));
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGFPE, handler);
  switch (sigsetjmp(out, 1)) {
  case 0: raise(SIGFPE); break;
  case SIGFPE: puts("SIGFPE"); break;
  }
  signal(SIGABRT, handler);
  if (!sigsetjmp(out, 1))
    abort();
  puts("abort was left");
}

static void at_exit(void) {
  jmp_buf here;
  const int value = setjmp(here);
  if (!value)
    longjmp(here, 3);
  printf("at exit: %d\n", value);
}

int main(void) {
  comparisons();
  if (!setjmp(failure.place))
    deep(10, leaf);
  else
    printf("from another file: %d\n", failure.code);
  signals();
  atexit(at_exit);
  return 0;
}
#endif
