// REQUIRES: emulator
// 4096 threads read files and the clock, allocate, and print through the buffers that they share. Replayed, each gets its own
// answers, and the output is the recorded one, in its order.
// RUN: rm -rf %t && mkdir -p %t && %gpucc -O1 %s -o %t/p && cd %t && seq 1 5000 > input
// RUN: for i in 0 1 2 3; do echo "content $i" > file$i || { echo "failed: $i" >&2; exit 1; }; done
// RUN: %run --threads 64 --blocks 64 --record r p < input > out 2> err; test $? -eq 3
// RUN: rm p input file* && grep -c ' content 2 ' out | grep -x 1024
// RUN: for i in 1 2 3; do %run --replay r < /dev/null > again 2> err; test $? -eq 3 && cmp out again || \
// RUN:   { cat err >&2; echo "failed: replay $i" >&2; exit 1; }; done
#include <gpuintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  const unsigned thread = __gpu_thread_id(0), block = __gpu_block_id(0);
  char name[] = "fileN", text[32] = "", line[32] = "";
  name[4] = (char)('0' + thread % 4);
  FILE *file = fopen(name, "r");
  char *memory = malloc(100 + thread);
  if (!file || !memory || fscanf(file, "%31[^\n]", text) != 1)
    return 1;
  fclose(file);
  fgets(line, sizeof line, stdin);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("%u.%u: %s at %ld\n", block, thread, text, now.tv_nsec);
  free(memory);
  return 3;
}
