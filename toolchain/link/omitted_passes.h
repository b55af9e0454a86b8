//===-- toolchain/link/omitted_passes.h - Left out --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_LINK_OMITTED_PASSES_H
#define GPUEXEC_TOOLCHAIN_LINK_OMITTED_PASSES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Pass.h"

namespace llvm {
class Module;
}

namespace gpuexec {

/// The passes of LLVM's code generation that a module of a program is compiled
/// without. `one_thread`: each block has one thread. initialize_codegen() comes
/// before.
llvm::SmallVector<llvm::AnalysisID> omitted_passes(const llvm::Module &module,
                                                   bool one_thread);

} // namespace gpuexec

#endif
