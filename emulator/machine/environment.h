//===-- emulator/machine/environment.h - Choices by variables ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUEXEC_EMULATOR_* variables, for whoever works on the emulator. An unknown
// value is reported on standard error and ignored: the program still runs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H
#define GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuexec::emulator {

/// The value of the environment variable `name` if it is one of `allowed`, else
/// empty. A value that is neither is reported with those that are allowed.
llvm::StringRef
choice_from_environment(const char *name,
                        llvm::ArrayRef<llvm::StringRef> allowed);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_ENVIRONMENT_H
