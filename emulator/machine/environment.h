//===-- emulator/machine/environment.h - Choices by variables ---*- C++ -*-===//
// GPUEXEC_EMULATOR_* variables, for whoever works on the emulator. What is
// unknown is said on standard error and counts as not given: a program is not
// ended by a variable that means nothing to it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H
#define GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuexec::emulator {

/// The value of the environment variable `name` if it is one of `allowed`.
/// Empty when it is not set, empty, or something else, which is said with what
/// is allowed.
llvm::StringRef
choice_from_environment(const char *name,
                        llvm::ArrayRef<llvm::StringRef> allowed);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H
