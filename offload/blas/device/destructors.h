//===-- offload/blas/device/destructors.h - The end of NVIDIA's libraries -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_DEVICE_DESTRUCTORS_H
#define GPUEXEC_OFFLOAD_BLAS_DEVICE_DESTRUCTORS_H

/// While `is` is true, functions that this thread registers for the process's
/// end (as C++ objects do for their destructors) are dropped. Those of NVIDIA's
/// libraries would free tables that another thread still uses; the kernel frees
/// that memory anyway. Returns the old value.
int drop_destructors(int is);

#endif
