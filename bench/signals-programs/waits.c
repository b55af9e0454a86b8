// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For bench/signals: places where a program with handlers looks for signals. waits flag|calls|locks|joins COUNT
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile long rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *end(void *number) { return number; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const long count = argc > 2 ? atol(argv[2]) : 0;
  if (!strcmp(what, "flag")) { // a loop that reads a volatile variable
    while (rounds < count)
      ++rounds;
  } else if (!strcmp(what, "calls")) {
    for (long i = 0; i < count; ++i)
      rounds += lseek(0, 0, SEEK_CUR) == 77;
  } else if (!strcmp(what, "locks")) {
    for (long i = 0; i < count; ++i) {
      pthread_mutex_lock(&lock);
      ++rounds;
      pthread_mutex_unlock(&lock);
    }
  } else if (!strcmp(what, "joins")) { // waits for a thread, time after time
    for (long i = 0; i < count; ++i) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, end, NULL) || pthread_join(thread, NULL))
        return 1;
    }
  } else {
    return 2;
  }
  printf("%ld\n", rounds);
  return 0;
}
