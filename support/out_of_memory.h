//===-- support/out_of_memory.h - When there is no memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// We compile without exceptions: a failed operator new would call
// std::terminate, which looks as if the program had aborted. out_of_memory.cpp
// is linked into each of our executables and shared libraries. Its operator
// new, and its handlers of LLVM's failed allocations, print a message and end
// the process. `new (std::nothrow)` still returns null; allocations whose size
// an image or a device chose must use it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_OUT_OF_MEMORY_H
#define GPUEXEC_SUPPORT_OUT_OF_MEMORY_H

/// Ends the process as a failure of gpuexec itself. `what`: the reason, one
/// line without newline. The gpuexec executable defines the function
/// (loader/apps/last_resort.cpp), and our shared libraries find it there. Null
/// in other processes.
extern "C" [[gnu::weak, noreturn, gnu::visibility("default")]] void
gpuexec_own_failure(const char *what);

namespace gpuexec {

/// Ends the process with gpuexec_own_failure(), or where that is null with a
/// message and abort(). Allocates nothing.
[[noreturn]] void fail_process(const char *what);

/// Makes LLVM call fail_process() for failed allocations and fatal errors. Call
/// it once for each copy of LLVM: each of our shared libraries has one.
void catch_llvm_failures();

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_OUT_OF_MEMORY_H
