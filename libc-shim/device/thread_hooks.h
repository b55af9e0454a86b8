//===-- libc-shim/device/thread_hooks.h - Set by programs with threads ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What start-up code and other parts of the library ask of threads/ or openmp/,
// one of which a program has whose first thread alone calls main(). Null in
// other programs, where every thread of the launch does.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREAD_HOOKS_H
#define GPUEXEC_LIBC_THREAD_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __NVPTX__
/// What start-up code calls (if_linked.h says why not weak references). Set by
/// a constructor.
extern struct gpuexec_main_functions {
  /// First in all threads; in main()'s it returns at once.
  void (*serve)(void);
  void (*end)(int status); ///< in the one that does, when main() has returned
} __gpuexec_main_functions;
#define MAIN_FUNCTION(type) static type
#else
/// The same.
__attribute__((weak)) void __gpuexec_serve_main(void);
__attribute__((weak)) void __gpuexec_end_main(int status);
#define MAIN_FUNCTION(type) type
#endif

/// In threads/ and in openmp/. The pass refuse_mixed_threads ends the link of a
/// program with both: all waves work for one of them.
#define HAS_THREADS_OF(kind)                                                   \
  __attribute__((used)) const char __gpuexec_threads_of_##kind = 1

/// __gpuexec_grid is defined in both. clang-nvlink-wrapper does not mind, but
/// would link the other file for a weak definition.
#ifdef __AMDGPU__
#define OWN_GRID __attribute__((weak, used, retain, visibility("protected")))
#else
#define OWN_GRID __attribute__((used, retain, visibility("protected")))
#endif

/// The program creates threads.
extern bool __gpuexec_has_threads;

/// Makes the thread-local variables of the calling wave those of a new thread.
/// Null in programs without such variables too.
extern void (*__gpuexec_renew_thread_locals)(void);

/// For each wave the block of its thread-local variables; GPUEXEC_MOST_WAVES.
extern void **__gpuexec_locals_of_waves;

/// For each wave the number of the thread in it; GPUEXEC_MOST_WAVES.
extern const uint32_t *__gpuexec_thread_numbers;

/// Calls the destructors of the calling thread's values. Set by programs with
/// keys.
extern void (*__gpuexec_destroy_specific)(void);

/// pthread_self().
extern unsigned long (*__gpuexec_id_of_thread)(void);

#endif
