// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/obstack.h - Objects on top of each other -*- C -*-===*/
/* GNU's stacks of objects. The program says with obstack_chunk_alloc and
 * obstack_chunk_free where chunks come from. A growing object is contiguous and
 * moves when its chunk is full.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_OBSTACK_H
#define GPUEXEC_OBSTACK_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct _obstack_chunk {
  char *limit; /* its end */
  struct _obstack_chunk *prev;
  char contents[];
};
struct obstack {
  size_t chunk_size;
  struct _obstack_chunk *chunk;
  char *object_base; /* the growing object */
  char *next_free;   /* its end */
  char *chunk_limit;
  size_t alignment_mask;
  void *(*chunkfun)(size_t);
  void (*freefun)(void *);
};

#ifdef __cplusplus
extern "C" {
#endif
extern void (*obstack_alloc_failed_handler)(void);
extern int obstack_exit_failure;
int _obstack_begin(struct obstack *, size_t, size_t, void *(*)(size_t),
                   void (*)(void *));
void _obstack_newchunk(struct obstack *, size_t);
void _obstack_free(struct obstack *, void *);
size_t _obstack_memory_used(struct obstack *);
int obstack_printf(struct obstack *, const char *__restrict, ...)
    __attribute__((__format__(__printf__, 2, 3)));
int obstack_vprintf(struct obstack *, const char *__restrict, va_list)
    __attribute__((__format__(__printf__, 2, 0)));
#ifdef __cplusplus
}
#endif

#define obstack_begin(h, size)                                                 \
  _obstack_begin((h), (size), 0, (void *(*)(size_t))obstack_chunk_alloc,       \
                 (void (*)(void *))obstack_chunk_free)
#define obstack_init(h) obstack_begin((h), 0)
#define obstack_specify_allocation(h, size, alignment, chunkfun, freefun)      \
  _obstack_begin((h), (size), (alignment), (void *(*)(size_t))(chunkfun),      \
                 (void (*)(void *))(freefun))
#define obstack_chunk_size(h) ((h)->chunk_size)
#define obstack_alignment_mask(h) ((h)->alignment_mask)
#define obstack_base(h) ((void *)(h)->object_base)
#define obstack_next_free(h) ((void *)(h)->next_free)
#define obstack_object_size(h) ((size_t)((h)->next_free - (h)->object_base))
#define obstack_room(h) ((size_t)((h)->chunk_limit - (h)->next_free))
#define obstack_memory_used(h) _obstack_memory_used(h)
#define obstack_empty_p(h)                                                     \
  (!(h)->chunk->prev &&                                                        \
   (h)->next_free == __obstack_align((h), (h)->chunk->contents))

static inline char *__obstack_align(const struct obstack *h, char *at) {
  return (char *)(((size_t)at + h->alignment_mask) & ~h->alignment_mask);
}
static inline void __obstack_room(struct obstack *h, size_t size) {
  if (obstack_room(h) < size)
    _obstack_newchunk(h, size);
}
static inline void __obstack_grow(struct obstack *h, const void *from,
                                  size_t size) {
  __obstack_room(h, size);
  memcpy(h->next_free, from, size);
  h->next_free += size;
}
static inline void __obstack_1grow(struct obstack *h, char c) {
  __obstack_room(h, 1);
  *h->next_free++ = c;
}
static inline void __obstack_blank(struct obstack *h, ptrdiff_t size) {
  if (size > 0)
    __obstack_room(h, (size_t)size);
  h->next_free += size;
}
static inline void *__obstack_finish(struct obstack *h) {
  void *object = h->object_base;
  char *next = __obstack_align(h, h->next_free);
  h->next_free = h->object_base = next > h->chunk_limit ? h->chunk_limit : next;
  return object;
}
static inline void *__obstack_alloc(struct obstack *h, size_t size) {
  __obstack_blank(h, (ptrdiff_t)size);
  return __obstack_finish(h);
}
static inline void *__obstack_copy(struct obstack *h, const void *from,
                                   size_t size) {
  __obstack_grow(h, from, size);
  return __obstack_finish(h);
}
static inline void __obstack_grow0(struct obstack *h, const void *from,
                                   size_t size) {
  __obstack_grow(h, from, size);
  __obstack_1grow(h, 0);
}
static inline void *__obstack_copy0(struct obstack *h, const void *from,
                                    size_t size) {
  __obstack_grow0(h, from, size);
  return __obstack_finish(h);
}
static inline void __obstack_ptr_grow(struct obstack *h, const void *pointer) {
  __obstack_grow(h, &pointer, sizeof pointer);
}
static inline void __obstack_int_grow(struct obstack *h, int value) {
  __obstack_grow(h, &value, sizeof value);
}

#define obstack_make_room(h, size) __obstack_room((h), (size))
#define obstack_grow(h, from, size) __obstack_grow((h), (from), (size))
#define obstack_grow0(h, from, size) __obstack_grow0((h), (from), (size))
#define obstack_1grow(h, c) __obstack_1grow((h), (char)(c))
#define obstack_ptr_grow(h, pointer) __obstack_ptr_grow((h), (pointer))
#define obstack_int_grow(h, value) __obstack_int_grow((h), (value))
#define obstack_blank(h, size) __obstack_blank((h), (ptrdiff_t)(size))
#define obstack_alloc(h, size) __obstack_alloc((h), (size))
#define obstack_copy(h, from, size) __obstack_copy((h), (from), (size))
#define obstack_copy0(h, from, size) __obstack_copy0((h), (from), (size))
#define obstack_finish(h) __obstack_finish(h)
#define obstack_free(h, object) _obstack_free((h), (object))
#define obstack_1grow_fast(h, c) ((void)(*(h)->next_free++ = (char)(c)))
#define obstack_blank_fast(h, size) ((void)((h)->next_free += (size)))
#define obstack_ptr_grow_fast(h, pointer) __obstack_ptr_grow((h), (pointer))
#define obstack_int_grow_fast(h, value) __obstack_int_grow((h), (value))
#endif
