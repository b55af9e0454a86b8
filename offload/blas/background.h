//===-- offload/blas/background.h - Threads beside the program -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// They open the device, measure it, and load code on it. The process may end
// meanwhile: its end waits for the step that they are in, and destructors of
// NVIDIA's libraries do not run.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_BACKGROUND_H
#define GPUEXEC_OFFLOAD_BLAS_BACKGROUND_H

/// Starts a thread, which calls background_ends() last. False: it cannot be
/// started.
int background_start(void *(*run)(void *));
void background_ends(void);
/// 0: a thread of ours is running. Else a number that is the same as before if
/// none has run since.
unsigned background_quiet(void);

/// From now on the process's end sets blas.stopping and waits until no thread
/// of ours is left, LONGEST_WAIT at most. Later calls do nothing.
void background_guard_end(void);
/// The same wait, at once.
void background_wait(void);

/// While `is` is true, what this thread has run at the process's end (as C++
/// objects do for their destructors) is not noted. NVIDIA's libraries take
/// tables apart that a thread which is still computing needs, and the kernel
/// takes back all that they hold anyway. Returns what it was.
int background_drops_destructors(int is);

#endif
