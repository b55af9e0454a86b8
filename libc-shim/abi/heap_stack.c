//===-- libc-shim/abi/heap_stack.c - Frames of recursion in the heap ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass extend_stack (toolchain/passes/) adds calls of these. When a
// recursion does not fit the stack, its further frames are in chunks of the
// heap: a run is the list of chunks of one recursion. A chunk ends with its
// `stack_chunk`, whose address tells a frame how much room is behind it.
//
// Every program links this file, so it must not make the linker include the
// heap or stdio.
//===----------------------------------------------------------------------===//
#include "gpu/start_up.h"
#include "libc-shim/abi/for_pass.h"
#include "libc-shim/abi/pass_records.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/if_linked.h"
#include "libc-shim/device/trap.h"
#include <stdlib.h>
#include <string.h>

// For functions that are called rarely, but are in every program that recurses.
#define SMALL __attribute__((minsize))

/// Sizes in bytes: of a run's first chunk; the limit up to which each chunk is
/// twice as large as the one before; the unit of memory from the host.
enum { FIRST = 16 << 10, LARGEST = 256 << 10, FROM_HOST = 2 << 20 };

/// The most bytes that a run may use. The loader writes it.
__attribute__((used, retain, visibility("protected")))
uint64_t __gpuexec_recursion_limit = GPUEXEC_USUAL_RECURSION;

static _Noreturn void end_with(const char *text) {
  const host_message message = {.data = text, .size = strlen(text)};
  __host_send(RPC_WRITE_TO_STDERR, HOST_FORM_BYTES, &message);
  TRAP(GPUEXEC_TRAP_STACK);
}

/// Ends the program with a message: `number` between the two texts.
static _Noreturn void end_with_number(const char *before, uint64_t number,
                                      const char *after) {
  char text[160], digits[20], *digit = digits;
  strcpy(text, before);
  do
    *digit++ = (char)('0' + number % 10);
  while (number /= 10);
  char *end = text + strlen(text);
  while (digit != digits)
    *end++ = *--digit;
  strcpy(end, after);
  end_with(text);
}

static stack_chunk *allocate(uint64_t size) {
  char *begin = __heap_malloc_if_any(size);
  const bool from_heap = begin;
  if (!from_heap) {
    size = (size + FROM_HOST - 1) & -(uint64_t)FROM_HOST;
    begin = (char *)__host_call(RPC_MALLOC, size, 0, 0).words[0];
  }
  if (!begin)
    end_with("gpuexec: stack overflow: no memory for the frames of a recursion "
             "(--heap-size)\n");
  stack_chunk *chunk = (stack_chunk *)(begin + size) - 1;
  *chunk = (stack_chunk){.begin = begin, .from_heap = from_heap};
  return chunk;
}

static uint64_t room_in(const stack_chunk *chunk) {
  return (uint64_t)((const char *)chunk - chunk->begin);
}

/// Returns the next chunk of a run behind the chunk `of`, with room for a frame
/// of `size` bytes; if `of` is null, the first chunk of a new run. Ends the
/// program with a message when there is no memory or the limit is reached.
FOR_PASS SMALL void *__gpuexec_more_stack(void *of, uint64_t size) {
  stack_chunk *const chunk = of;
  if (chunk && chunk->next && room_in(chunk->next) >= size)
    return chunk->next;
  uint64_t wanted = FIRST;
  if (chunk)
    wanted = 2 * (room_in(chunk) + sizeof *chunk);
  if (wanted > LARGEST)
    wanted = LARGEST;
  if (wanted < size + sizeof *chunk)
    wanted = (size + sizeof *chunk + 15) & -(uint64_t)16;
  const uint64_t older = chunk ? chunk->older + room_in(chunk) : 0,
                 most = __gpuexec_recursion_limit;
  if (older + wanted > most)
    end_with_number("gpuexec: stack overflow: a recursion takes more than ",
                    most, " bytes beyond the stack (--recursion-size)\n");
  stack_chunk *fresh = allocate(wanted);
  fresh->older = older;
  if (chunk) {
    fresh->next = chunk->next;
    chunk->next = fresh;
  }
  return fresh;
}

/// Frees the chunks of a run from `first` on.
FOR_PASS SMALL void __gpuexec_free_stack(void *first) {
  for (stack_chunk *chunk = first, *next; chunk; chunk = next) {
    next = chunk->next;
    if (chunk->from_heap)
      __heap_free_if_any(chunk->begin);
    else
      __host_post(RPC_FREE, (uint64_t)chunk->begin);
  }
}

/// Ends the program with a message: the rest of the stack is too small for a
/// recursive call. `size`: bytes of a thread's stack.
FOR_PASS SMALL void __gpuexec_stack_overflow(uint32_t size) {
  end_with_number("gpuexec: stack overflow: a thread has ", size,
                  " bytes of stack (--stack-size)\n");
}
