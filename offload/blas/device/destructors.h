//===-- offload/blas/device/destructors.h - The end of NVIDIA's libraries -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_DEVICE_DESTRUCTORS_H
#define GPUEXEC_OFFLOAD_BLAS_DEVICE_DESTRUCTORS_H

/// While `is` is true, what this thread has run at the process's end (as C++
/// objects do for their destructors) is not noted. NVIDIA's libraries take
/// tables apart that a thread which is still computing needs, and the kernel
/// takes back all that they hold anyway. Returns what it was.
int drop_destructors(int is);

#endif
