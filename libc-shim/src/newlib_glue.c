//===-- libc-shim/src/newlib_glue.c - What newlib expects of its host -----===//
// newlib's own code allocates through these names.
//===----------------------------------------------------------------------===//
#include <reent.h>
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
