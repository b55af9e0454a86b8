//===-- loader/apps/run/version.h - gpuexec --version -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_RUN_VERSION_H
#define GPUEXEC_LOADER_APPS_RUN_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace gpuexec {

/// Prints the text of --version: version and commit of gpuexec, the version of
/// LLVM, and which GPUs' images it runs.
void print_version(llvm::raw_ostream &os);

} // namespace gpuexec

#endif
