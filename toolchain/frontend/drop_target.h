//===-- toolchain/frontend/drop_target.h - Combined directives --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_DROP_TARGET_H
#define GPUEXEC_TOOLCHAIN_DROP_TARGET_H

#include "declare_target.h"
#include "clang/Lex/Preprocessor.h"

namespace gpuexec {

/// Makes the preprocessor read "#pragma omp target ... parallel ..." as two
/// directives, and others as those of a host without devices, from now on.
void drop_target(clang::Preprocessor &preprocessor,
                 std::shared_ptr<DeclareTarget> declare_target);

} // namespace gpuexec

#endif
