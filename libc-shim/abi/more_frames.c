//===-- libc-shim/abi/more_frames.c - Memory for shared variables ---------===//
// Local variables that threads share lie in chunks of memory, which the pass
// share_variables fills like a stack. A thread keeps its chunks until its
// kernel ends: the next thread of the wave uses them again.
//===----------------------------------------------------------------------===//
#include "libc-shim/abi/more_frames.h"
#include "libc-shim/abi/for_pass.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Behind the two words, which the pass knows, are the variables; behind those
/// a pointer to the chunk itself.
typedef struct chunk {
  uint64_t end; ///< behind the variables
  struct chunk *next;
} chunk;

enum { LEAST = 4096 - 64 };

static uint64_t bytes_of(const chunk *it) {
  return it->end - (uint64_t)(it + 1);
}

static chunk *make(uint64_t bytes) {
  chunk *made = malloc(sizeof *made + bytes + sizeof made);
  if (!made) {
    fputs("stack overflow: no memory for local variables that threads share\n",
          stderr);
    abort();
  }
  made->end = (uint64_t)(made + 1) + bytes;
  made->next = NULL;
  *(chunk **)made->end = made;
  return made;
}

/// A chunk with at least `bytes` for variables, a multiple of 16; the one that
/// ends at `end` is too small. 0: there is none.
FOR_PASS void *__gpuexec_more_frames(uint64_t end, uint64_t bytes) {
  chunk *now = end ? *(chunk **)end : NULL;
  if (now && now->next && bytes_of(now->next) >= bytes)
    return now->next;
  uint64_t wanted = now ? 2 * bytes_of(now) : LEAST;
  if (wanted < bytes)
    wanted = bytes;
  chunk *made = make(wanted);
  if (now) {
    for (chunk *small = now->next; small;) {
      chunk *next = small->next;
      free(small);
      small = next;
    }
    now->next = made;
  }
  return made;
}
