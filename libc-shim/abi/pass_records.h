//===-- libc-shim/abi/pass_records.h - Records that passes know -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu/pass_runtime.def has the offsets of their members, for the passes.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PASS_RECORDS_H
#define GPUEXEC_LIBC_PASS_RECORDS_H

#include "gpu/pass_runtime.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/// Stored behind the frames of a chunk of a recursion (heap_stack.c).
typedef struct stack_chunk {
  struct stack_chunk *next; ///< the next chunk of the same run, or null
  char *begin;              ///< address of the frames
  uint64_t older;           ///< bytes of the run's chunks before this one
  bool from_heap;           ///< from malloc; else from the host
} stack_chunk;

/// Stored before the variables in a chunk of a thread's shared stack
/// (shared_stack.c).
typedef struct shared_chunk {
  uint64_t end; ///< the address behind the memory for variables
  struct shared_chunk *next;
} shared_chunk;
_Static_assert(sizeof(shared_chunk) == SHARED_CHUNK_HEAD,
               "the pass finds the variables behind it");

/// The top of a thread's shared stack: the next free address and the end of the
/// chunk. Two members of the thread's record
/// (toolchain/passes/shared/thread_record.h).
struct shared_top {
  uint64_t at, end;
};

/// Stored in the frame of a function that has handlers (libc-shim/unwind/).
struct handler_frame {
  uint64_t older;   ///< address of the record of the next older such function
  uint64_t clauses; ///< address of the current call's clauses, or 0
};

/// The layout of _Unwind_Exception. Its private members are the last two.
typedef struct handled_exception {
  uint64_t exception_class;
  void *cleanup;
  uint64_t selector; ///< Clause::selector of the handler (unwind/handlers.h)
  uint64_t frame;    ///< address of the handler's frame
} handled_exception;

#define RUNTIME_MEMBER(id, record, member, offset, bytes)                      \
  _Static_assert(offsetof(record, member) == (offset) &&                       \
                     sizeof(((record *)0)->member) == (bytes),                 \
                 "not where passes look for it");
#include "gpu/pass_runtime.def"

#endif
