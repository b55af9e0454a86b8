// REQUIRES: emulator
// Waves that wait: for a pipe that another wave fills, for time to pass, for a command, for input that comes late. How often
// another wave has looked meanwhile is the same in the replay.
// RUN: rm -rf %t && mkdir %t && %gpucc -O1 %s -o %t/p && cd %t
// RUN: (sleep 0.2; echo late) | %run --record r --record-schedule=1 --blocks 4 ./p > out
// RUN: FileCheck %s < out && rm p
// RUN: for i in 1 2 3; do %run --replay r < /dev/null > again && cmp out again || { echo "failed: replay $i" >&2; exit 1; }; done
// CHECK-DAG: read 5 after {{[0-9]+}} looks
// CHECK-DAG: status 512, line late
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile int ends[2] = {-1, -1};
static volatile unsigned looks, done;

int main(void) {
  const unsigned block = __gpu_block_id(0);
  if (block == 0) {
    int made[2];
    char text[64];
    if (pipe(made))
      return 1;
    ends[1] = made[1];
    ends[0] = made[0];
    for (int i = 0; i < 3; ++i) {
      const ssize_t got = read(made[0], text, sizeof text);
      printf("read %d after %u looks\n", (int)got, looks);
    }
    done = 1;
  } else if (block == 1) {
    while (ends[0] < 0)
      __gpu_thread_suspend();
    for (int i = 0; i < 3; ++i) {
      usleep(30000);
      write(ends[1], "hello", 5);
    }
  } else if (block == 2) {
    for (; !done; ++looks)
      __gpu_thread_suspend();
  } else {
    const int status = system("sleep 0.1; exit 2");
    char line[20] = "";
    fgets(line, sizeof line, stdin);
    const clock_t begin = clock();
    while (clock() < begin + CLOCKS_PER_SEC / 50)
      ;
    printf("status %d, line %s", status, line);
  }
  return 0;
}
