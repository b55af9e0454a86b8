//===-- loader/sandbox/filter.h - Seccomp filter ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libseccomp makes the filter from calls.def when the process is confined,
// which takes 0.3 to 0.4 ms. It cannot be made at build time: some rules
// contain the process's own number.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SANDBOX_FILTER_H
#define GPUEXEC_LOADER_SANDBOX_FILTER_H

#include "loader/sandbox/sandbox.h"

namespace gpuexec::sandbox {

/// True if this kernel can filter system calls for all threads of a process.
bool has_seccomp();

/// Loads the filter for all threads of the process. It cannot be removed.
llvm::Error load_filter(Calls calls);

} // namespace gpuexec::sandbox

#endif // GPUEXEC_LOADER_SANDBOX_FILTER_H
