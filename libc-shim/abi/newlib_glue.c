//===-- libc-shim/abi/newlib_glue.c - Functions that newlib calls ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// newlib's own code allocates and formats through these names.
//===----------------------------------------------------------------------===//
#include <reent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *_malloc_r(struct _reent *reent, size_t size) {
  (void)reent;
  return malloc(size);
}
void *_calloc_r(struct _reent *reent, size_t count, size_t size) {
  (void)reent;
  return calloc(count, size);
}
void *_realloc_r(struct _reent *reent, void *block, size_t size) {
  (void)reent;
  return realloc(block, size);
}
void _free_r(struct _reent *reent, void *block) {
  (void)reent;
  free(block);
}

// newlib's names for sprintf() and snprintf() without floating point.
int siprintf(char *buffer, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsprintf(buffer, format, list);
  va_end(list);
  return result;
}
int sniprintf(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsnprintf(buffer, size, format, list);
  va_end(list);
  return result;
}
