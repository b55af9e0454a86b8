//===-- support/out_of_memory.h - When there is no memory -------*- C++ -*-===//
// A process that knows no exceptions ends in std::terminate when operator new
// has nothing to give, as if the program had aborted. out_of_memory.cpp is
// linked into each executable and shared library of ours: its operator new, and
// what LLVM's allocations do, end the process in words instead. `new
// (std::nothrow)` gives null, as ever. What asks for a size that an image or a
// device chose must ask without ending the process.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_OUT_OF_MEMORY_H
#define GPUEXEC_SUPPORT_OUT_OF_MEMORY_H

/// Ends the process: gpuexec cannot go on, and `what` says why in one line
/// without its end. gpuexec defines it (loader/last_resort.cpp) and shared
/// libraries of ours find it there; in other processes it is absent, and they
/// abort.
extern "C" [[gnu::weak, noreturn, gnu::visibility("default")]] void
gpuexec_own_failure(const char *what);

namespace gpuexec {

/// Says `what` and ends the process, through gpuexec_own_failure() where there
/// is one. Allocates nothing.
[[noreturn]] void fail_process(const char *what);

/// Has LLVM's failed allocations and fatal errors end in fail_process(). Once
/// for each copy of LLVM, which is each of our shared libraries.
void catch_llvm_failures();

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_OUT_OF_MEMORY_H
