//===-- toolchain/frontend/start_scans.h - reduction(inscan) ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_START_SCANS_H
#define GPUEXEC_TOOLCHAIN_START_SCANS_H

#include "clang/AST/StmtOpenMP.h"

namespace gpuexec {

/// Lets the first iteration of a loop with reduction(inscan) begin with the
/// values that the variables have before the loop, which clang 22 loses.
void start_scans(clang::OMPLoopDirective &loop, clang::ASTContext &context);

} // namespace gpuexec

#endif
