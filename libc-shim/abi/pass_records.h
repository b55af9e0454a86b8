//===-- libc-shim/abi/pass_records.h - Records that passes know -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Their members are where gpu/pass_runtime.def says.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PASS_RECORDS_H
#define GPUEXEC_LIBC_PASS_RECORDS_H

#include "gpu/pass_runtime.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/// Behind the frames of a recursion that goes on in the heap (heap_stack.c).
typedef struct stack_chunk {
  struct stack_chunk *next; ///< newer one of the same run, or null
  char *begin;              ///< of the frames
  uint64_t older;           ///< bytes of the run's chunks in front of this one
  bool from_heap;           ///< otherwise from the host
} stack_chunk;

/// In front of the variables in a chunk of a thread's shared stack
/// (shared_stack.c).
typedef struct shared_chunk {
  uint64_t end; ///< behind the variables
  struct shared_chunk *next;
} shared_chunk;
_Static_assert(sizeof(shared_chunk) == SHARED_CHUNK_HEAD,
               "the pass finds the variables behind it");

/// How full a thread's shared stack is: two members of its record
/// (toolchain/passes/shared/thread_record.h).
struct shared_top {
  uint64_t at, end;
};

/// In the frame of a function that has handlers (libc-shim/unwind/).
struct handler_frame {
  uint64_t older;   ///< address of the frame of the function that is left next
  uint64_t clauses; ///< address of what applies to the call it is in, or 0
};

/// What an _Unwind_Exception has: its private members are the unwinder's.
typedef struct handled_exception {
  uint64_t exception_class;
  void *cleanup;
  uint64_t selector; ///< says which handler takes it
  uint64_t frame;    ///< address of the handler's frame
} handled_exception;

#define RUNTIME_MEMBER(id, record, member, offset, bytes)                      \
  _Static_assert(offsetof(record, member) == (offset) &&                       \
                     sizeof(((record *)0)->member) == (bytes),                 \
                 "not where passes look for it");
#include "gpu/pass_runtime.def"

#endif
