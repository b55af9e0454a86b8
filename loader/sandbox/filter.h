//===-- loader/sandbox/filter.h - System calls that go on -------*- C++ -*-===//
// The seccomp filter, made by libseccomp from calls.def when the process is
// confined: it takes 0.3 to 0.4 ms, and some rules hold the process's own
// number.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SANDBOX_FILTER_H
#define GPUEXEC_LOADER_SANDBOX_FILTER_H

#include "loader/sandbox/sandbox.h"

namespace gpuexec::sandbox {

/// Does this kernel filter system calls for all threads of a process?
bool has_seccomp();

/// Binds all threads of the process, for ever.
llvm::Error load_filter(Calls calls);

} // namespace gpuexec::sandbox

#endif // GPUEXEC_LOADER_SANDBOX_FILTER_H
