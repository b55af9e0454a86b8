//===-- libc-shim/threads/deadlock.h - When all threads wait --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_THREADS_DEADLOCK_H
#define GPUEXEC_LIBC_THREADS_DEADLOCK_H

#include "libc-shim/threads/threads.h"

/// Called at each poll of a long wait of the calling thread. Reports a deadlock
/// and aborts the program when all threads wait for one another.
void __gpuexec_look_for_deadlock(wait *);
/// Called at the end of such a wait.
void __gpuexec_leave_long_wait(wait *);

// threads.c defines the following.

/// The number of threads that have not finished.
uint32_t __gpuexec_alive_threads(void);

/// Locks the list of these threads and returns the newest one. No thread begins
/// or ends until the list is unlocked.
thread *__gpuexec_lock_threads(void);
void __gpuexec_unlock_threads(void);

#endif
