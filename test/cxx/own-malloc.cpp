// A program's own malloc, calloc, realloc and free take the place of the library's, also where it needs more of the library's heap
// (memory of a large alignment): objects, containers and exceptions are in the program's.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++17
// RUN: %gpucc -x c -DONLY_IN_C -O2 -fno-lto %s -o %t.c && %run %t.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char pool[1 << 18];
static size_t used;
static int calls;

static int is_ours(const void *object) {
  return (const char *)object >= pool && (const char *)object < pool + sizeof pool;
}

#ifdef __cplusplus
#include <new>
#include <string>
#include <vector>
extern "C" {
#endif
__attribute__((noinline)) void *malloc(size_t size) {
  void *object = pool + used;
  used += (size + 31) & ~(size_t)31;
  ++calls;
  return used <= sizeof pool ? object : NULL;
}
void free(void *object) { calls += is_ours(object); }
void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }
void *realloc(void *object, size_t size) {
  void *moved = malloc(size);
  return object ? memcpy(moved, object, size) : moved;
}
#ifdef __cplusplus
}

struct alignas(64) Aligned {
  int number = 3;
};

int main() {
  std::string *text = new std::string(100, 'x');
  std::vector<int> numbers(10, 7);
  printf("%d %d %d %d\n", is_ours(text), is_ours(text->data()), is_ours(numbers.data()), calls >= 3);
  delete text;
  char *volatile copy = strdup("a copy");
  printf("%d %s\n", is_ours(copy), copy);
  try {
    throw std::string("thrown");
  } catch (const std::string &thrown) {
    printf("%d %s\n", is_ours(&thrown), thrown.c_str());
  }
  Aligned *aligned = static_cast<Aligned *>(aligned_alloc(64, sizeof(Aligned)));
  printf("%d %d\n", is_ours(aligned), new (aligned) Aligned == aligned);
}
#else
int main(void) {
  char *volatile copy = strdup("a copy");
  void *aligned = aligned_alloc(64, 64);
  return is_ours(copy) && !is_ours(aligned) && calls ? 0 : 1;
}
#endif
