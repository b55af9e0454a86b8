//===-- offload/blas/run/background.h - Threads beside the program --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Background threads of this library open the device, measure it and load code
// on it. The process may end or fork while one of them works. The process's end
// waits for the thread's current step. fork() waits while a thread loads a
// library: a child that is forked in the middle of dlopen() would wait for ever
// in its own first dlopen().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_BACKGROUND_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_BACKGROUND_H

/// Runs the function in a new thread, whose own calls of BLAS go to the
/// program's library. Returns false if no thread can be started.
int background_start(void (*run)(void));
/// Returns 0 while a background thread runs. Two equal answers other than 0
/// mean that none ran in between.
unsigned background_quiet(void);

/// True once the process is ending. The second function returns the address of
/// this flag, which is atomic, for code that polls it.
int background_is_stopping(void);
const int *background_stopping(void);

/// Has the process's end wait until no background thread is left, for
/// LONGEST_WAIT at most. Only the first call has an effect.
void background_guard_end(void);
/// Waits in the same way, now.
void background_wait(void);

/// Call these around anything that loads a library: no thread of the program
/// forks in between.
void loading_begins(void);
void loading_ends(void);
/// Handlers of fork(). The first waits until no library is being loaded, for a
/// bounded time: glibc before 2.36 keeps its list of handlers locked during
/// this wait, and a library that is being loaded may add a handler. (The
/// driver's own start may fork, in the thread that loads it.)
void background_before_fork(void);
void background_in_parent(void);
void background_in_child(void);

#endif
