//===-- libc-shim/threads/threads.h - The threads of a program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that creates threads runs one thread in a wave at a time: main() in
// the first wave of the grid, the functions of pthread_create() in the others.
// Only one lane of a wave runs, so that threads may wait for one another.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_THREADS_H
#define GPUEXEC_LIBC_THREADS_THREADS_H

#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/wait.h"
#include <pthread.h>

/// Bits of thread::state. GONE: joined, or detached and finished; the memory is
/// kept for another thread, so that a call with the old pthread_t is an error.
enum { DETACHED = 1, FINISHED = 2, GONE = 4 };

/// Bits of thread::cancel.
enum { CANCEL_WANTED = 1, CANCEL_OFF = 2, CANCEL_ASYNCHRONOUS = 4 };

/// A thread; its address is its pthread_t. Allocated by malloc, except main's,
/// and never freed.
typedef struct thread {
  struct thread *newer, *older; ///< in the list of unfinished threads
  void *(*start)(void *);
  void *argument, *result;
  struct __gpuexec_cleanup *cleanup; ///< the newest of pthread_cleanup_push()
  void
      *begin; ///< jmp_buf of where it began; null: pthread_exit.c is not linked
  uint32_t state;
  uint32_t cancel;
  uint32_t ends;  ///< it has begun to end: it cannot be cancelled any more
  uint64_t signals; ///< that others have sent to it, and are pending
  int policy, priority; ///< kept, without effect
  uint32_t wave;
  uint32_t number; ///< main's is 1; counted as they are created
  char name[16];
  uint64_t blocked; ///< signals that its creator blocked
  // What deadlock.c reads of other threads' long waits.
  const wait *waits;                ///< null: not in a long wait
  const char *place;                ///< its file and line; null: not known
  uint32_t polls;                   ///< number of polls of this wait
  uint32_t waited;                  ///< counts begins and ends of long waits
  uint32_t seen_polls, seen_waited; ///< polls and waited at the last look
} thread;

/// The calling thread. Null in a wave that runs no thread.
thread *__gpuexec_this_thread(void);

static inline thread *thread_of(pthread_t id) { return (thread *)id; }

static inline uint32_t state_of(const thread *other) {
  return __scoped_atomic_load_n(&other->state, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Starts a thread; without attributes (null) it can be joined. Null with errno
/// ENOMEM (no memory) or EAGAIN (all waves run threads).
thread *__gpuexec_start_thread(void *(*start)(void *), void *argument,
                               const pthread_attr_t *attributes);

/// Keeps the memory of a thread that has finished and has been joined or
/// detached, for another one.
void __gpuexec_forget_thread(thread *);

/// Called when the calling thread has finished, or main() has called
/// pthread_exit(): destroys the thread's values, gives its wave back and lets
/// other threads join it. Does not return if it was the program's last thread:
/// that ends the program with status 0.
void __gpuexec_finish_thread(thread *, void *result);

/// Whether the calling thread is cancelled and may be: bits of `interruption`.
unsigned __gpuexec_is_cancelled(void);

/// One poll of a loop without end: lets other waves run; ends the calling wave
/// when the program is over.
void __gpuexec_wait_for_end(void);

/// Runs the thread's function and returns its result. pthread_exit.c replaces
/// this with a function to which pthread_exit() can jump back.
extern void *(*__gpuexec_run_thread)(thread *);

#endif
