//===-- libc-shim/abi/thread_locals.c - Blocks of thread-local variables --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass lower_thread_locals adds calls of these to every kernel. The block
// of the grid's first thread is in the image, so that constructors, main and
// exit handlers, which run in three kernels, have the same variables. The
// blocks of the other threads are on the heap, from the kernel's begin to its
// end.
//===----------------------------------------------------------------------===//
#include "gpu/pass_runtime.h"
#include "gpu/start_up.h"
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/device/ensemble.h"
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/device/wave.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The initial contents of a block.
typedef struct {
  const void *image;
  uint64_t image_size, size;
} contents;

static void initialise(char *block, contents to) {
  memcpy(block, to.image, to.image_size);
  memset(block + to.image_size, 0, to.size - to.image_size);
}

static contents initial;
static void renew(void) {
  if (__gpuexec_free_kept_exception)
    __gpuexec_free_kept_exception();
  initialise(__gpuexec_locals_of_waves[rpc_this_wave().number], initial);
}

/// Frees the thread's block when its kernel ends.
FOR_PASS void __gpuexec_end_thread_locals(void *first, void *block) {
  if (block != first)
    free(block);
}

/// Allocates the calling thread's block: `size` bytes, of which the first
/// `image_size` are copied from `image` and the others zero. `first` is the
/// block of the grid's first thread. Ends the program with a message when there
/// is no memory.
FOR_PASS void *__gpuexec_begin_thread_locals(void *first, const void *image,
                                             uint64_t image_size, uint64_t size,
                                             uint64_t alignment) {
  const contents whole = {image, image_size, size};
#ifdef __AMDGPU__
  if (__gpuexec_instance_block) { // before any variable of the instance is used
    char *own = __gpuexec_instance_block();
    if (own)
      initialise(own, whole);
    else
      own = first; // the program runs as others do, in one thread
    __gpuexec_fill_instance_block(own);
    return own;
  }
#endif
  if (is_first_thread()) {
    // No other thread runs yet: the kernel _begin has only this one.
    initial = whole;
    __gpuexec_renew_thread_locals = renew;
    return first;
  }
  char *block = aligned_alloc(alignment, size);
  if (!block) {
    static const char message[] = "no memory for thread-local variables\n";
    fwrite(message, 1, sizeof message - 1, stderr);
    abort();
  }
  initialise(block, whole);
  const uint32_t wave = rpc_this_wave().number;
  if (__gpuexec_locals_of_waves && wave < GPUEXEC_MOST_WAVES)
    __gpuexec_locals_of_waves[wave] = block;
  return block;
}
