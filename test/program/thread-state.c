// errno, strtok and gmtime of every thread, in more waves than run at a time: what a wave leaves behind serves another.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 256 --blocks 64 %t | FileCheck %s
// CHECK: 16384 threads, 0 wrong
#include "../Inputs/expect.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static unsigned wrong, done;
int main(void) {
  unsigned me = thread_of_the_grid();
  errno = (int)me;
  char text[32], *rest;
  snprintf(text, sizeof text, "%u,%u", me, me + 1);
  unsigned first = strtoul(strtok(text, ","), NULL, 10), second = strtoul(strtok(NULL, ","), &rest, 10);
  time_t when = (time_t)me * 86400;
  struct tm *tm = gmtime(&when);
  unsigned day = (unsigned)tm->tm_wday;
  if (!EXPECT(errno == (int)me, "%d", errno) || !EXPECT(first == me && second == me + 1 && !*rest, "%u, %u", first, second) ||
      !EXPECT(day == (me + 4) % 7, "%u", day))
    __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED) == __gpu_num_threads_x() * __gpu_num_blocks_x())
    printf("%u threads, %u wrong\n", done, wrong);
  return 0;
}
