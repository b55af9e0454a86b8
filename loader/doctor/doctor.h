//===-- loader/doctor/doctor.h - gpuexec doctor -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_DOCTOR_DOCTOR_H
#define GPUEXEC_LOADER_DOCTOR_DOCTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuexec::doctor {

/// `gpuexec doctor`: prints what this machine has for gpuexec. `argv` is what
/// follows. Standard output is not flushed. The exit status: 0 when some device
/// runs a program here, else 1. Errors: Failure.
llvm::Expected<int> run(llvm::ArrayRef<const char *> argv);

} // namespace gpuexec::doctor

#endif
