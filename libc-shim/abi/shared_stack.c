//===-- libc-shim/abi/shared_stack.c - Memory for shared variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables that threads share lie in chunks of memory, which the pass
// share_variables fills like a stack. A thread keeps its chunks until its
// kernel ends: the next thread of the wave uses them again.
//
// Machine code that is made before the link (-fno-lto) calls the allocator that
// clang calls for OpenMP.
//===----------------------------------------------------------------------===//
#include "libc-shim/abi/shared_stack.h"
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/abi/pass_records.h"
#include "libc-shim/device/trap.h"
#include "libc-shim/device/wave.h"
#include <stdio.h>
#include <stdlib.h>

/// Behind its variables a chunk has a pointer to itself.
typedef shared_chunk chunk;

/// Bytes of a thread's first chunk. Lanes are many.
enum { LEAST = 4096 - 64, LEAST_OF_LANE = 1024 - 64, ALIGNMENT = 16 };

static uint64_t bytes_of(const chunk *it) {
  return it->end - (uint64_t)(it + 1);
}

static chunk *make(uint64_t bytes) {
  chunk *made = malloc(sizeof *made + bytes + sizeof made);
  if (!made) {
    fputs("gpuexec: stack overflow: no memory for local variables that threads "
          "share\n",
          stderr);
    TRAP(GPUEXEC_TRAP_STACK);
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
  uint64_t wanted = now                          ? 2 * bytes_of(now)
                    : __gpu_num_threads_x() == 1 ? LEAST
                                                 : LEAST_OF_LANE;
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

//===-- For machine code --------------------------------------------------===//

// In front of each block is the shared_top that freeing it restores.

/// Memory that all threads see, aligned to 16 bytes.
void *__kmpc_alloc_shared(uint64_t size) {
  shared_top *top = __gpuexec_shared_top();
  shared_top before = *top;
  const uint64_t bytes =
      sizeof before + ((size + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT);
  if (before.at + bytes > before.end) {
    chunk *more = __gpuexec_more_frames(before.end, bytes);
    *top = (shared_top){(uint64_t)(more + 1), more->end};
    if (!before.end) // the first chunk stays
      before = *top;
  }
  shared_top *block = (shared_top *)top->at;
  top->at += bytes;
  *block = before;
  return block + 1;
}

/// Frees the block, and those that were allocated after it.
void __kmpc_free_shared(void *block, uint64_t size) {
  (void)size;
  *__gpuexec_shared_top() = ((shared_top *)block)[-1];
}
