// The heap finds a double free and a wrong pointer always, and a write past an object's end with GPUEXEC_HEAP=check.
// RUN: %gpucc -O1 %s -o %t
// RUN: %run %t fine
// RUN: not %run %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %run %t wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env GPUEXEC_HEAP=check %run %t fine
// RUN: not env GPUEXEC_HEAP=check %run %t past 2>&1 | FileCheck %s --check-prefix=PAST
// TWICE: free(): freed twice: 0x
// WRONG: free(): invalid pointer: 0x
// PAST: free(): written past the end of: 0x
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char *volatile block = malloc(100);
  memset(block, 1, 100);
  if (!strcmp(argv[1], "past"))
    block[100] = 2;
  if (!strcmp(argv[1], "wrong"))
    block += 16;
  free(block);
  if (!strcmp(argv[1], "twice"))
    free(block);
  return 0;
}
