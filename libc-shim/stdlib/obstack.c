//===-- libc-shim/stdlib/obstack.c - Chunks of obstacks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <obstack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int obstack_exit_failure = EXIT_FAILURE;

static void report_failure(void) {
  fprintf(stderr, "memory exhausted\n");
  exit(obstack_exit_failure);
}
void (*obstack_alloc_failed_handler)(void) = report_failure;

static struct _obstack_chunk *make_chunk(struct obstack *h, size_t size,
                                         struct _obstack_chunk *below) {
  struct _obstack_chunk *chunk = h->chunkfun(size);
  if (!chunk) {
    obstack_alloc_failed_handler();
    abort(); // the handler must not return
  }
  chunk->prev = below;
  chunk->limit = h->chunk_limit = (char *)chunk + size;
  return h->chunk = chunk;
}

int _obstack_begin(struct obstack *h, size_t size, size_t alignment,
                   void *(*allocate)(size_t), void (*release)(void *)) {
  enum { DEFAULT_SIZE = 4064 };
  *h = (struct obstack){.chunk_size = size ? size : DEFAULT_SIZE,
                        .alignment_mask =
                            (alignment ? alignment : _Alignof(max_align_t)) - 1,
                        .chunkfun = allocate,
                        .freefun = release};
  const size_t least = sizeof(struct _obstack_chunk) + h->alignment_mask + 1;
  if (h->chunk_size < least)
    h->chunk_size = least;
  struct _obstack_chunk *chunk = make_chunk(h, h->chunk_size, NULL);
  h->next_free = h->object_base = __obstack_align(h, chunk->contents);
  return 1;
}

/// Moves the growing object to a new chunk with room for `more` bytes. Frees
/// the old chunk if it has no other object.
void _obstack_newchunk(struct obstack *h, size_t more) {
  struct _obstack_chunk *old = h->chunk;
  const size_t has = obstack_object_size(h);
  const size_t overhead = sizeof *old + h->alignment_mask;
  size_t size;
  // An eighth more than needed, for an object that goes on growing.
  if (__builtin_add_overflow(has, more, &size) ||
      __builtin_add_overflow(size, has / 8 + overhead + 64, &size)) {
    obstack_alloc_failed_handler();
    abort();
  }
  char *const object = h->object_base;
  struct _obstack_chunk *chunk =
      make_chunk(h, size > h->chunk_size ? size : h->chunk_size, old);
  h->object_base = __obstack_align(h, chunk->contents);
  memcpy(h->object_base, object, has);
  h->next_free = h->object_base + has;
  if (object == __obstack_align(h, old->contents) && old->prev) {
    chunk->prev = old->prev;
    h->freefun(old);
  }
}

/// Frees `object` and all that came after it; null: everything.
void _obstack_free(struct obstack *h, void *object) {
  const uintptr_t at = (uintptr_t)object;
  struct _obstack_chunk *chunk = h->chunk;
  while (chunk && (at < (uintptr_t)chunk || at > (uintptr_t)chunk->limit)) {
    struct _obstack_chunk *below = chunk->prev;
    h->freefun(chunk);
    chunk = below;
  }
  if (!chunk && object)
    abort(); // the object is not in this obstack
  h->chunk = chunk;
  if (!chunk)
    return;
  h->object_base = h->next_free = object;
  h->chunk_limit = chunk->limit;
}

size_t _obstack_memory_used(struct obstack *h) {
  size_t sum = 0;
  for (struct _obstack_chunk *at = h->chunk; at; at = at->prev)
    sum += (size_t)(at->limit - (char *)at);
  return sum;
}

int obstack_vprintf(struct obstack *h, const char *restrict format,
                    va_list list) {
  char *text;
  const int length = vasprintf(&text, format, list);
  if (length >= 0) {
    obstack_grow(h, text, (size_t)length);
    free(text);
  }
  return length;
}
int obstack_printf(struct obstack *h, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  const int length = obstack_vprintf(h, format, list);
  va_end(list);
  return length;
}
