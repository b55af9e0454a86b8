//===-- libc-shim/device/if_linked.h - Parts that a program may lack ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that every program links (errno, standard streams, the end of a thread)
// uses the heap, output buffers and per-thread state only where the program has
// linked them. On AMD that is a weak reference. On NVIDIA it is a pointer that
// the part sets when it is first used, because clang-nvlink-wrapper extracts a
// library's member for a weak reference too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_IF_LINKED_H
#define GPUEXEC_LIBC_IF_LINKED_H

#include <stdbool.h>
#include <stddef.h>

/// malloc(), or null in a program without a heap; free() of such a block.
void *__heap_malloc_if_any(size_t size);
void __heap_free_if_any(void *block);

/// Flushes every stream with buffered output, for a program that ends: from now
/// on nothing waits for a thread that holds a stream. False after an error;
/// errno says which.
bool __stream_flush_all_if_any(void);

#ifdef __NVPTX__
typedef struct {
  void *(*malloc)(size_t);
  void (*free)(void *);
} heap_functions;
extern heap_functions __heap_functions; ///< set by the first malloc()

/// Frees the state of the calling thread, which has returned from main. Null
/// until a thread has such state.
extern void (*__gpuexec_thread_ends)(void);
#else
/// The same; start-up code has a weak definition that does nothing.
void __gpuexec_thread_ends(void);
#endif

#endif
