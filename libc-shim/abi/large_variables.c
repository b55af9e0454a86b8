//===-- libc-shim/abi/large_variables.c - Local variables on the heap -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes move_large_variables and move_dynamic_variables add calls of these
// to functions whose local variables are large or of variable length. A
// thread's blocks form a list, the newest first, so that a jump out of several
// functions can free the blocks that these functions have not freed.
//===----------------------------------------------------------------------===//
#include "gpu/pass_runtime.h"
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/device/trap.h"
#include <stdio.h>
#include <stdlib.h>

/// Stored before a block's variables.
typedef struct {
  void *older;  ///< the variables of the next older block, or null
  void *memory; ///< the address that malloc returned
} header;

static header *header_of(void *variables) { return (header *)variables - 1; }

/// Allocates `size` bytes for local variables. Ends the program with a message
/// when there is no memory.
void *__gpuexec_begin_variables(uint64_t size, uint64_t alignment) {
  char *memory = malloc(size + sizeof(header) + alignment);
  if (!memory) {
    fprintf(
        stderr,
        "gpuexec: stack overflow: no memory for %lu bytes of local variables\n",
        (unsigned long)size);
    TRAP(GPUEXEC_TRAP_STACK);
  }
  uintptr_t first = (uintptr_t)memory + sizeof(header);
  void *variables = (void *)((first + alignment - 1) & -alignment);
  thread_state *state = __thread_state();
  *header_of(variables) = (header){state->large_variables, memory};
  state->large_variables = variables;
  return variables;
}

/// Frees the newest block, `variables`, when its function returns.
void __gpuexec_end_variables(void *variables) {
  header *block = header_of(variables);
  __thread_state()->large_variables = block->older;
  free(block->memory);
}

/// The newest block of the calling thread, or null.
FOR_PASS void *__large_variables(void) {
  return __thread_state()->large_variables;
}

/// Frees the calling thread's blocks that are newer than `kept`, which
/// __large_variables() returned: after a jump to where it was called, and at
/// the end of a scope or function that began there.
FOR_PASS void __free_large_variables(void *kept) {
  void *newest;
  while ((newest = __large_variables()) && newest != kept)
    __gpuexec_end_variables(newest);
}
