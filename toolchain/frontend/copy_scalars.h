//===-- toolchain/frontend/copy_scalars.h - Copies in targets ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_COPY_SCALARS_H
#define GPUEXEC_TOOLCHAIN_COPY_SCALARS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace gpuexec {

/// Gives the target regions of a declaration the private copies of variables
/// that OpenMP promises.
void copy_scalars(clang::Decl &declaration, clang::ASTContext &context);

} // namespace gpuexec

#endif
