//===-- libc-shim/src/memory.c - memcpy and its neighbours ----------------===//
// Copies and fills in the widest accesses that the backend makes of them: it
// expands the intrinsics to loops, so none of these calls itself. Comparisons
// read words where both sides are aligned. Nothing here, nor in newlib's string
// functions as they are configured, reads a byte beyond what it was given.
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PIECE __attribute__((noinline))

PIECE void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
PIECE void *memmove(void *to, const void *from, size_t size) {
  return __builtin_memmove(to, from, size);
}
PIECE void *memset(void *to, int value, size_t size) {
  return __builtin_memset(to, value, size);
}
void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  return (char *)memcpy(to, from, size) + size;
}
void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
void bzero(void *to, size_t size) { memset(to, 0, size); }
void explicit_bzero(void *to, size_t size) {
  memset(to, 0, size);
  __asm__ volatile("" ::"r"(to) : "memory"); // the fill is not to be dropped
}

PIECE int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  if (!(((uintptr_t)a | (uintptr_t)b) & 7))
    for (; size >= 8 && *(const uint64_t *)a == *(const uint64_t *)b; size -= 8)
      a += 8, b += 8;
  for (; size; --size, ++a, ++b)
    if (*a != *b)
      return *a - *b;
  return 0;
}
int bcmp(const void *left, const void *right, size_t size) {
  return memcmp(left, right, size);
}

PIECE size_t strlen(const char *text) {
  size_t size = 0;
  while (text[size])
    ++size;
  return size;
}
