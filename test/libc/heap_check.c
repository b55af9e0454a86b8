// The heap finds a double free and a wrong pointer always, and a write past an object's end with GPUEXEC_HEAP=check.
// RUN: %gpucc -O1 %s -o %t
// RUN: %run %t fine 100 0
// RUN: for size in 16 100 2000 40000; do not %run %t twice $size 0 2>&1 | FileCheck %s --check-prefix=TWICE || { echo "failed: size=$size" >&2; exit 1; }; done
// RUN: for size in 16 2000; do not env GPUEXEC_HEAP=check %run %t twice $size 0 2>&1 | FileCheck %s --check-prefix=TWICE || { echo "failed: size=$size" >&2; exit 1; }; done
// RUN: for offset in 1 8 16 64 112; do not %run %t wrong 200 $offset 2>&1 | FileCheck %s --check-prefix=WRONG || { echo "failed: offset=$offset" >&2; exit 1; }; done
// RUN: for size in 2000 40000 3000000; do not %run %t wrong $size 16 2>&1 | FileCheck %s --check-prefix=WRONG || { echo "failed: size=$size" >&2; exit 1; }; done
// RUN: for offset in 64 4096 8192; do not %run %t wrong 40000 $offset 2>&1 | FileCheck %s --check-prefix=WRONG || { echo "failed: offset=$offset" >&2; exit 1; }; done
// RUN: for size in 16 100 2000; do not %run %t header $size 16 2>&1 | FileCheck %s --check-prefix=WRONG || { echo "failed: size=$size" >&2; exit 1; }; done
// RUN: for size in 16 100 2000 40000 3000000; do env GPUEXEC_HEAP=check %run %t fine $size 0 || { echo "failed: size=$size" >&2; exit 1; }; done
// RUN: for size in 16 100 2000 40000 3000000; do not env GPUEXEC_HEAP=check %run %t past $size 0 2>&1 | FileCheck %s --check-prefix=PAST || { echo "failed: size=$size" >&2; exit 1; }; done
// TWICE: free(): freed twice: 0x
// WRONG: free(): invalid pointer: 0x
// PAST: free(): written past the end of: 0x
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const size_t size = strtoul(argv[2], NULL, 10), offset = strtoul(argv[3], NULL, 10);
  char *volatile block = malloc(size);
  memset(block, 1, size);
  if (!strcmp(argv[1], "past"))
    block[size] = 2;
  if (!strcmp(argv[1], "header")) // what stands before a slab's objects
    block = (char *)((uintptr_t)block & -(uintptr_t)(64 << 10));
  free(block + offset);
  if (!strcmp(argv[1], "twice"))
    free(block);
  return 0;
}
