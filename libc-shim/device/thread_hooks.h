//===-- libc-shim/device/thread_hooks.h - Set by programs with threads ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that libc-shim/threads/ or openmp/ sets, for start-up code and other
// parts of the library. A program that links one of these two calls main() in
// the first thread of the grid alone. In other programs every thread of the
// grid calls main(), and these pointers are null.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREAD_HOOKS_H
#define GPUEXEC_LIBC_THREAD_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __NVPTX__
/// Functions that start-up code calls (if_linked.h says why these are not weak
/// references). A constructor sets them.
extern struct gpuexec_main_functions {
  /// Called by every thread of the grid before main(). Returns at once in the
  /// thread that calls main(); in the others it runs created threads, if any,
  /// and returns when the program is over.
  void (*serve)(void);
  void (*end)(int status); ///< called with main()'s result by its thread
} __gpuexec_main_functions;
#define MAIN_FUNCTION(type) static type
#else
/// `serve` and `end` on AMD.
__attribute__((weak)) void __gpuexec_serve_main(void);
__attribute__((weak)) void __gpuexec_end_main(int status);
#define MAIN_FUNCTION(type) type
#endif

/// Marks a program as one that links threads/ or openmp/. The pass
/// refuse_mixed_threads makes the link of a program with both marks fail,
/// because each of the two needs all waves of the grid.
#define HAS_THREADS_OF(kind)                                                   \
  __attribute__((used)) const char __gpuexec_threads_of_##kind = 1

/// Attributes of __gpuexec_grid, which both threads/ and openmp/ define. On
/// NVIDIA it is not weak: for a weak definition clang-nvlink-wrapper would link
/// the file of the other one too, while it accepts two strong definitions.
#ifdef __AMDGPU__
#define OWN_GRID __attribute__((weak, used, retain, visibility("protected")))
#else
#define OWN_GRID __attribute__((used, retain, visibility("protected")))
#endif

/// True in a program that links threads/.
extern bool __gpuexec_has_threads;

/// True once such a program has created a thread; until then only the first
/// thread of the grid is at work.
extern bool __gpuexec_created_threads;

/// Resets the thread-local variables of the calling wave to their initial
/// values, for a new thread. Also null in a program without such variables.
extern void (*__gpuexec_renew_thread_locals)(void);

/// Frees what the calling thread keeps for its next exception, before its
/// variables are reset. Set by the first exception.
extern void (*__gpuexec_free_kept_exception)(void);

/// GPUEXEC_MOST_WAVES pointers: for each wave the memory of its thread-local
/// variables.
extern void **__gpuexec_locals_of_waves;

/// GPUEXEC_MOST_WAVES numbers: for each wave that of the thread it runs.
extern const uint32_t *__gpuexec_thread_numbers;

/// Calls the destructors of the values that the calling thread has passed to
/// pthread_setspecific(). Set by the first pthread_key_create().
extern void (*__gpuexec_destroy_specific)(void);

/// pthread_cleanup_push() and pthread_cleanup_pop() in programs that can end a
/// thread in the middle of a function; null in others.
struct __gpuexec_cleanup;
extern void (*__gpuexec_push_cleanup_if_any)(struct __gpuexec_cleanup *);
extern void (*__gpuexec_pop_cleanup_if_any)(struct __gpuexec_cleanup *, int);

/// Returns the calling thread's pthread_t.
extern unsigned long (*__gpuexec_id_of_thread)(void);

#endif
