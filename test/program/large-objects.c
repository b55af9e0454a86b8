// Where in its 2 MiB a large object begins does not depend on the address of these: a replay gets other memory from the driver,
// and compares offsets. But the objects begin at different offsets.
// RUN: %gpucc -O1 %s -o %t
// RUN: for before in 0 1 2 3 5; do %run %t $before > %t.$before && cmp %t.0 %t.$before || { echo "failed: $before" >&2; exit 1; }; done
// RUN: sort -u %t.0 | wc -l | grep -x 8
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  // These move what comes behind them.
  for (int i = 0; i < atoi(argv[1]); ++i)
    if (!aligned_alloc(4 << 20, 1 << 20))
      return 1;
  for (int i = 0; i < 8; ++i)
    printf("%lu\n", (uintptr_t)malloc(1 << 20) % (2 << 20));
  return 0;
}
