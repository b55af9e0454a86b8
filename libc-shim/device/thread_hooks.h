//===-- libc-shim/device/thread_hooks.h - Set by programs with threads ----===//
// Null in other programs, where every thread of the launch calls main().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREAD_HOOKS_H
#define GPUEXEC_LIBC_THREAD_HOOKS_H

#include <stdbool.h>

/// What start-up code calls: on NVIDIA through this, on AMD by weak references
/// to __gpuexec_serve_threads and __gpuexec_end_main (if_linked.h says why).
typedef struct {
  void (*serve)(void);          ///< in threads that do not call main()
  void (*end_main)(int status); ///< when main() has returned
} thread_functions;
extern thread_functions __gpuexec_thread_functions;

/// The program creates threads.
extern bool __gpuexec_has_threads;

/// Makes the thread-local variables of the calling wave those of a new thread.
/// Null in programs without such variables too.
extern void (*__gpuexec_renew_thread_locals)(void);

/// For each wave the block of its thread-local variables; GPUEXEC_MOST_WAVES.
extern void **__gpuexec_locals_of_waves;

/// Calls the destructors of the calling thread's values. Set by programs with
/// keys.
extern void (*__gpuexec_destroy_specific)(void);

/// pthread_self().
extern unsigned long (*__gpuexec_id_of_thread)(void);

#endif
