//===-- libc-shim/stdio/stream_list.c - All streams that are open ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h. Separate from opening and closing, which need the heap: every
// program that writes to stdout links this file.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream_lock.h"

FILE *__stream_list;
static uint32_t list_lock;

/// Runs its body under the list's lock, one lane after the other.
#define WITH_LIST                                                              \
  FOR_EACH_LANE(list_mask)                                                     \
  for (int list_once = (lock_take(&list_lock), 1); list_once;                  \
       list_once = (lock_release(&list_lock), 0))

void __stream_link(FILE *stream) {
  const uint64_t list_mask = rpc_lane_mask();
  WITH_LIST {
    stream->next = __stream_list;
    if (stream->next)
      stream->next->previous = stream;
    __stream_list = stream;
  }
}

void __stream_unlink(FILE *stream) {
  const uint64_t list_mask = rpc_lane_mask();
  WITH_LIST {
    if (stream->previous)
      stream->previous->next = stream->next;
    else
      __stream_list = stream->next;
    if (stream->next)
      stream->next->previous = stream->previous;
  }
}

bool __stream_flush_list(void) {
  bool good = true;
  if (!__scoped_atomic_load_n(&__stream_list, __ATOMIC_RELAXED,
                              __MEMORY_SCOPE_DEVICE))
    return true;
  const uint64_t list_mask = rpc_lane_mask();
  WITH_LIST {
    for (FILE *stream = __stream_list; stream; stream = stream->next)
      if (__scoped_atomic_load_n(&stream->out_used, __ATOMIC_RELAXED,
                                 __MEMORY_SCOPE_DEVICE))
        good &= __stream_flush(stream);
  }
  return good;
}
