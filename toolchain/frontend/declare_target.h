//===-- toolchain/frontend/declare_target.h - All is for the GPU *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_DECLARE_TARGET_H
#define GPUEXEC_TOOLCHAIN_DECLARE_TARGET_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/SemaOpenMP.h"

namespace gpuexec {

/// The declare target directive around the whole file (gpuexec/openmp.h).
class DeclareTarget {
public:
  explicit DeclareTarget(clang::CompilerInstance &compiler)
      : compiler(compiler) {}

  /// Called before an executable directive is parsed: what follows is outside
  /// of declare target, and the file's variables are, too.
  void suspend();

  /// Called behind each declaration of the file. What it declares while
  /// declare target was suspended is for the GPU, too.
  void resume(clang::Decl &declaration);

  /// Called when the whole file has been parsed.
  void end();

private:
  void mark_variables();

  using Context = clang::SemaOpenMP::DeclareTargetContextInfo;

  clang::CompilerInstance &compiler;
  llvm::SmallVector<Context, 4> contexts; ///< while it is suspended
  /// The file's variables, those that only this directive declares to be for
  /// the GPU.
  llvm::SmallVector<clang::VarDecl *, 0> variables;
  bool for_good = false; ///< it is not resumed any more
};

} // namespace gpuexec

#endif
