//===-- offload/blas/run/background.h - Threads beside the program --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// They open the device, measure it, and load code on it. The process may end
// meanwhile: its end waits for the step that they are in. It may fork, too: a
// child whose parent was loading a library would wait for ever where it loads
// one itself, so a lock is held while libraries are loaded.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_BACKGROUND_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_BACKGROUND_H

/// Runs the function in a thread whose calls of BLAS go to the program's.
/// False: no thread can be started.
int background_start(void (*run)(void));
/// 0: a thread of ours is running. Else a number that is the same as before if
/// none has run since.
unsigned background_quiet(void);

/// True when the process ends. The address of the same, atomic, for who waits.
int background_is_stopping(void);
const int *background_stopping(void);

/// From now on the process's end waits until no thread of ours is left,
/// LONGEST_WAIT at most. Later calls do nothing.
void background_guard_end(void);
/// The same wait, at once.
void background_wait(void);

/// Around what loads libraries: no thread of the program forks meanwhile.
void loading_begins(void);
void loading_ends(void);
/// Handlers of fork(). The wait before it is bounded: glibc before 2.36 keeps
/// its list of handlers locked meanwhile, and a library that is being loaded
/// may add one. (The driver's own start may fork, in the thread that loads.)
void background_before_fork(void);
void background_in_parent(void);
void background_in_child(void);

#endif
