//===-- libc-shim/abi/shared_stack.c - Memory for shared variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables that threads share are in chunks of memory, which code of the
// pass share_variables uses as a stack. A thread keeps its chunks until its
// kernel ends, so that the next thread of the wave uses them again.
//
// Machine code that is made before the link (-fno-lto) has no code of the pass
// and calls clang's allocator for OpenMP, __kmpc_alloc_shared().
//===----------------------------------------------------------------------===//
#include "libc-shim/abi/shared_stack.h"
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/abi/pass_records.h"
#include "libc-shim/device/trap.h"
#include "libc-shim/device/wave.h"
#include <stdio.h>
#include <stdlib.h>

/// Behind its variables, at `end`, a chunk has a pointer to itself.
typedef shared_chunk chunk;

/// Bytes of the first chunk of a thread that has a wave to itself; of a thread
/// that is one of many lanes; the alignment of variables.
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

/// Returns a chunk with room for `bytes` (a multiple of 16) of variables, to
/// follow the chunk that ends at `end`, which is too full. `end` 0: the thread
/// has no chunk yet.
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

// Before each block is a copy of the shared_top that freeing the block
// restores.

/// Allocates memory that all threads can access, aligned to 16 bytes.
void *__kmpc_alloc_shared(uint64_t size) {
  shared_top *top = __gpuexec_shared_top();
  shared_top before = *top;
  const uint64_t bytes =
      sizeof before + ((size + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT);
  if (before.at + bytes > before.end) {
    chunk *more = __gpuexec_more_frames(before.end, bytes);
    *top = (shared_top){(uint64_t)(more + 1), more->end};
    if (!before.end) // the first chunk is kept when the block is freed
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
