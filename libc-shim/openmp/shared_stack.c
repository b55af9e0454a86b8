//===-- libc-shim/openmp/shared_stack.c - Locals that others may see ------===//
// A lane's stack is invisible to other lanes on both makers' GPUs. Variables
// that clang finds shared, and what the runtime shares, are in a stack of each
// thread in device memory. It consists of chunks that double in size; the
// first is allocated when a thread needs it, because most threads never do.
//===----------------------------------------------------------------------===//
#include "libc-shim/openmp/team.h"
#include <stdlib.h>

enum { FIRST_CHUNK = 1 << 10, LARGEST_CHUNK = 1 << 20, ALIGNMENT = 16 };

/// In front of a chunk's memory.
typedef struct omp_chunk {
  _Alignas(ALIGNMENT) struct omp_chunk *older,
      *spare;     ///< spare: a newer one that is empty
  char *at, *end; ///< of the older one, when this was begun
  uint64_t size;
} omp_chunk;

static char *memory_of(omp_chunk *chunk) { return (char *)(chunk + 1); }

static __attribute__((noinline)) void grow(omp_thread *self, uint64_t size) {
  omp_chunk *chunk = self->chunk;
  omp_chunk *fresh = chunk ? chunk->spare : NULL;
  if (fresh && fresh->size < size) {
    free(fresh);
    fresh = NULL;
  }
  if (!fresh) {
    uint64_t bytes = chunk ? 2 * chunk->size : FIRST_CHUNK;
    if (bytes > LARGEST_CHUNK)
      bytes = LARGEST_CHUNK;
    if (bytes < size)
      bytes = size;
    fresh = malloc(sizeof *fresh + bytes);
    if (!fresh)
      __gpuexec_omp_fail("no memory for variables that threads share");
    fresh->size = bytes;
    fresh->spare = NULL;
  }
  if (chunk)
    chunk->spare = NULL;
  fresh->older = chunk;
  fresh->at = self->stack_at;
  fresh->end = self->stack_end;
  self->chunk = fresh;
  self->stack_at = memory_of(fresh);
  self->stack_end = self->stack_at + fresh->size;
}

void *__gpuexec_omp_push(omp_thread *self, uint64_t size) {
  size = (size + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT;
  if (size > (uint64_t)(self->stack_end - self->stack_at))
    grow(self, size);
  char *block = self->stack_at;
  self->stack_at += size;
  return block;
}

/// Leaves the chunk, which is empty. One empty chunk is kept.
static __attribute__((noinline)) void shrink(omp_thread *self) {
  omp_chunk *chunk = self->chunk, *older = chunk->older;
  free(chunk->spare);
  chunk->spare = NULL;
  self->stack_at = chunk->at;
  self->stack_end = chunk->end;
  self->chunk = older;
  older->spare = chunk;
}

void __gpuexec_omp_pop(omp_thread *self, void *block) {
  // What longjmp() has left out goes with what lies below it.
  while (self->chunk->older && ((char *)block < memory_of(self->chunk) ||
                                (char *)block >= self->stack_end))
    shrink(self);
  self->stack_at = block;
  if (block == memory_of(self->chunk) && self->chunk->older)
    shrink(self);
}

void *__kmpc_alloc_shared(uint64_t size) {
  return __gpuexec_omp_push(__gpuexec_omp_self(), size);
}
void __kmpc_free_shared(void *block, uint64_t size) {
  (void)size;
  __gpuexec_omp_pop(__gpuexec_omp_self(), block);
}
