// A thread that holds a stream writes several pieces of a line, and no other thread's text comes in between: in a buffer, through the host (printf) and unbuffered.
// RUN: %gpucc -O2 -pthread %s -o %t
// RUN: %run %t > %t.out 2> %t.err
// RUN: grep -cxE 'line [0-9] of [0-9]+: a b c printf' %t.out | grep -x 240
// RUN: grep -cxE 'error [0-9] of [0-9]+: a b' %t.err | grep -x 240
// RUN: FileCheck %s < %t.out
// CHECK: another thread: busy
// CHECK: after one of two: busy
// CHECK: after both: taken
// CHECK: of a thread that never gives it back
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *write_lines(void *argument) {
  for (int i = 0; i < 30; ++i) {
    flockfile(stdout);
    printf("line %d of ", (int)(long)argument);
    printf("%d:", i);
    fputs(" a", stdout);
    putchar_unlocked(' ');
    putc_unlocked('b', stdout);
    fwrite(" c", 1, 2, stdout);
    puts(" printf");
    funlockfile(stdout);
    flockfile(stderr);
    fprintf(stderr, "error %d of ", (int)(long)argument);
    fprintf(stderr, "%d:", i);
    fputs(" a", stderr);
    fputs(" b\n", stderr);
    funlockfile(stderr);
  }
  return NULL;
}

static void *try_it(void *unused) {
  (void)unused;
  if (ftrylockfile(stdout))
    return "busy";
  funlockfile(stdout);
  return "taken";
}

static const char *tried(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, try_it, NULL);
  pthread_join(thread, &result);
  return result;
}

static void *never_give_back(void *unused) {
  (void)unused;
  flockfile(stdout);
  fputs("of a thread that never gives it back", stdout);
  return NULL;
}

int main(void) {
  pthread_t threads[8];
  for (long i = 0; i < 8; ++i)
    pthread_create(threads + i, NULL, write_lines, (void *)i);
  for (int i = 0; i < 8; ++i)
    pthread_join(threads[i], NULL);
  flockfile(stdout);
  flockfile(stdout);
  const char *by_other = tried();
  funlockfile(stdout);
  const char *by_other_once = tried();
  funlockfile(stdout);
  printf("another thread: %s\nafter one of two: %s\nafter both: %s\n", by_other,
         by_other_once, tried());
  pthread_create(threads, NULL, never_give_back, NULL);
  pthread_join(*threads, NULL);
  return 0;
}
