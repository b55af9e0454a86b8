// %*ms reads a field and stores nothing: it allocates nothing either. (The 20000 blocks of 32 bytes that it once leaked are
// 640 kB: the lowest and the highest address that malloc gives tell.)
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int number = 0;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < 400; ++i) {
    for (int k = 0; k < 50; ++k)
      if (sscanf("w 7", "%*ms %d", &number) != 1 || number != 7)
        return 1;
    void *block = malloc(32);
    low = (uintptr_t)block < low ? (uintptr_t)block : low;
    high = (uintptr_t)block > high ? (uintptr_t)block : high;
    free(block);
  }
  printf("%d KiB\n", (int)((high - low) >> 10));
  return high - low > 256 << 10;
}
