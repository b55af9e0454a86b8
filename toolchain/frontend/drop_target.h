//===-- toolchain/frontend/drop_target.h - Combined directives --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_DROP_TARGET_H
#define GPUEXEC_TOOLCHAIN_DROP_TARGET_H

#include "clang/Lex/Preprocessor.h"

namespace gpuexec {

/// From here on "#pragma omp target ... parallel ..." reads as
/// "#pragma omp parallel ...".
void drop_target(clang::Preprocessor &preprocessor);

} // namespace gpuexec

#endif
