//===-- libc-shim/threads/threads.h - The threads of a program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that creates threads has one for main(), in the first wave of the
// grid, and one for each wave in which pthread_create() has started a function.
// Of a wave one lane runs, so that threads may wait for one another.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_THREADS_H
#define GPUEXEC_LIBC_THREADS_THREADS_H

#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/wait.h"
#include <pthread.h>

/// Bits of thread::state.
enum { DETACHED = 1, FINISHED = 2 };

/// A thread; its address is its pthread_t. Memory of malloc, but for main's.
typedef struct thread {
  struct thread *newer, *older; ///< in the list of those that have not finished
  void *(*start)(void *);
  void *argument, *result;
  struct __gpuexec_cleanup *cleanup; ///< the newest
  void
      *begin; ///< jmp_buf of where it began; null: pthread_exit.c is not linked
  uint32_t state;
  uint32_t wave;
  uint32_t number; ///< main's is 1; counted as they are created
  char name[16];
  uint64_t blocked; ///< signals that its creator blocked
  // What others see of a long wait.
  const wait *waits;                ///< null: it does not wait, or not for long
  const char *place;                ///< file and line of it; null: not known
  uint32_t polls;                   ///< of it
  uint32_t waited;                  ///< how many long waits there were
  uint32_t seen_polls, seen_waited; ///< when somebody last looked
} thread;

/// The calling thread. Null where the program creates none.
thread *__gpuexec_this_thread(void);

static inline thread *thread_of(pthread_t id) { return (thread *)id; }

/// Starts a thread. Null with errno set.
thread *__gpuexec_start_thread(void *(*start)(void *), void *argument,
                               bool detached);

/// Gives the thread's memory back: it has finished, and nobody will ask for it.
void __gpuexec_forget_thread(thread *);

/// The calling thread has finished, or main() has called pthread_exit(): what
/// belongs to a thread ends, and the thread can be joined. Does not return when
/// it was the program's last thread.
void __gpuexec_finish_thread(thread *, void *result);

/// Lets other waves run; ends the wave when the program is over.
void __gpuexec_wait_for_end(void);

/// Runs the thread's function. pthread_exit.c replaces it with one that
/// pthread_exit() comes back to.
extern void *(*__gpuexec_run_thread)(thread *);

#endif
