// REQUIRES: emulator
// However a program ends, its replay ends at the same step: what it has printed and counted until then is the same.
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: for end in exit:5 abort:134 fault:139 alarm:142 deadlock:124 spin:124; do \
// RUN:   %run --timeout 3 --record r --record-schedule=2 --blocks 4 ./p ${end%:*} > out 2> err; test $? -eq ${end#*:} && \
// RUN:   sed -i '/will hold/d' err && for i in 1 2; do %run --replay r > again 2> err2; test $? -eq ${end#*:} && cmp out again && \
// RUN:   cmp err err2 || { cat err err2 >&2; echo "failed: $end, replay $i" >&2; exit 1; }; done || { echo "failed: $end" >&2; exit 1; }; done
// Ended by a signal: the replay comes as far and says so.
// RUN: timeout -s INT 2 %run --record r --record-schedule=2 --blocks 4 ./p spin > out 2> err; test $? -eq 124
// RUN: %run --replay r > again 2> err; test $? -eq 125 && cmp out again && FileCheck %s --check-prefix=INT < err
// INT: error: {{.*}}r: here the program was ended by signal 2 when it was recorded
#include <gpuintrin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned count, locks[2];

static void take(unsigned lock) {
  while (__atomic_exchange_n(&locks[lock], 1, __ATOMIC_ACQUIRE))
    __gpu_thread_suspend();
}

int main(int argc, char **argv) {
  const unsigned me = __gpu_block_id(0);
  if (me == 0 && !strcmp(argv[1], "alarm"))
    alarm(1);
  for (int i = 0;; ++i) {
    ++count;
    if (i % 100 == 0 && me < 2 && i < 1000) {
      printf("%u: %u\n", me, count);
      fflush(stdout);
    }
    if (i != 300 + (int)me * 7)
      continue;
    if (!strcmp(argv[1], "exit"))
      exit(5);
    if (!strcmp(argv[1], "abort"))
      abort();
    if (!strcmp(argv[1], "fault"))
      *(volatile int *)(uintptr_t)(count & 0xff0) = 1;
    if (!strcmp(argv[1], "deadlock")) { // sooner or later
      take(me & 1);
      for (unsigned k = 0; k < 100; ++k)
        ++count;
      take(!(me & 1));
    }
  }
}
