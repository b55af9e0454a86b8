//===-- libc-shim/stdio/stream_list.c - All streams that are open ---------===//
// See stream.h. Apart from what opens and closes them: whoever writes to stdout
// has this, and should not carry the heap.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream_lock.h"

FILE *__stream_list;
static uint32_t list_lock;

/// One lane after the other of those that come together.
#define WITH_LIST                                                              \
  WITH_EACH_LANE(list_mask)                                                    \
  for (int list_once = (take_list(), 1); list_once;                            \
       list_once = (give_list(), 0))

static void take_list(void) {
  while (__scoped_atomic_exchange_n(&list_lock, 1, __ATOMIC_RELAXED,
                                    __MEMORY_SCOPE_DEVICE))
    __gpu_thread_suspend();
  rpc_device_fence(); // see stream_lock.h
}
static void give_list(void) {
  rpc_device_fence();
  __scoped_atomic_store_n(&list_lock, 0, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

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
