//===-- libc-shim/openmp/cancel.h - Constructs that are cancelled ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_CANCEL_H
#define GPUEXEC_LIBC_CANCEL_H

/// The kind of construct that clang passes.
enum {
  CANCEL_PARALLEL = 1,
  CANCEL_LOOP = 2,
  CANCEL_SECTIONS = 3,
  CANCEL_TASKGROUP = 4,
};

#endif
