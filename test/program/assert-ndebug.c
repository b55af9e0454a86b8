// With NDEBUG an assertion is nothing.
// RUN: %gpucc -O2 -DNDEBUG %s -o %t
// RUN: %run %t
#include <assert.h>

int main(void) {
  assert(0 && "not evaluated");
  return 0;
}
