// Exceptions can be thrown when malloc has no memory: there are 64 places for them in the image, which are used again
// (libc-shim/unwind/exception_memory.cpp).
// RUN: %hostcxx -std=c++17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O2 %s -o %t && %run %t | diff %t.expected -
#include <cstdio>
#include <cstdlib>
#include <new>

static char pool[1 << 18];
static size_t used;
static bool empty;
extern "C" {
__attribute__((noinline)) void *malloc(size_t size) {
  if (empty)
    return nullptr;
  void *object = pool + used;
  used += (size + 31) & ~size_t(31);
  return object;
}
void free(void *) {}
void *calloc(size_t, size_t) { return nullptr; }
void *realloc(void *, size_t) { return nullptr; }
}

static int nested(int depth) {
  try {
    delete new int[1000];
    return 0;
  } catch (const std::bad_alloc &) {
    return 1 + (depth ? nested(depth - 1) : 0);
  }
}
int main() {
  empty = true;
  int caught = 0;
  for (int round = 0; round < 30; ++round)
    caught += nested(9);
  empty = false;
  printf("%d\n", caught);
}
