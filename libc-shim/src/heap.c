#include "call.h"
#include <stdlib.h>
#include <string.h>
struct head { size_t size; size_t pad; };
void *malloc(size_t size) {
  host_reply r = __host_call(RPC_MALLOC, size + 16, 0, 0);
  if (!r.words[0]) { errno = ENOMEM; return NULL; }
  struct head *h = (struct head *)r.words[0];
  h->size = size;
  return h + 1;
}
void free(void *p) { if (p) __host_post(RPC_FREE, (uint64_t)((struct head *)p - 1)); }
void *calloc(size_t a, size_t b) {
  void *p = malloc(a * b);
  if (p) memset(p, 0, a * b);
  return p;
}
void *realloc(void *p, size_t n) {
  if (!p) return malloc(n);
  void *q = malloc(n);
  if (!q) return NULL;
  size_t old = ((struct head *)p - 1)->size;
  memcpy(q, p, old < n ? old : n);
  free(p);
  return q;
}
