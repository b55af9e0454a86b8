//===-- libc-shim/src/memalignment.c - The rest of LLVM's list ------------===//
// C23's memalignment and Annex K's strnlen_s, which LLVM's C library for GPUs
// offers too.
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t memalignment(const void *at) {
  return (size_t)((uintptr_t)at & -(uintptr_t)at);
}
size_t strnlen_s(const char *text, size_t most) {
  return text ? strnlen(text, most) : 0;
}
