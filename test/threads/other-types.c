// Functions without parameters as handlers, threads and comparisons, whose callers pass arguments, as programs of before 1990 have them.
// RUN: %hostcc -std=gnu17 -pthread %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 2; do %gpucc -std=gnu17 -O$level -pthread %s -o %t && %run %t | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int handled;
static void handler() {
  char text[100];
  snprintf(text, sizeof text, "handled %d", ++handled);
  puts(text);
}
static int compare() { return 0; }
static void *run() {
  char text[200];
  snprintf(text, sizeof text, "in a thread, after %d", handled);
  puts(text);
  pthread_exit((void *)7);
}

int main(void) {
  pthread_t thread;
  void *result;
  int two[] = {2, 1};
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, &result);
  qsort(two, 2, sizeof *two, compare);
  printf("%d %ld\n", handled, (long)result);
  return 0;
}
