//===-- toolchain/passes/shared/chunks.h - Loops of one iteration ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_PASSES_CHUNKS_H
#define GPUEXEC_PASSES_CHUNKS_H

#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// A loop in which each thread has chunks of one iteration is one loop over
/// chunks and one over the chunk's iterations. Tells LLVM that the inner one
/// has one iteration: in it, the chunk's last iteration is its first.
/// `call` is one of __kmpc_for_static_init_4, _4u, _8 and _8u, as clang makes
/// it; what it does not know it leaves as it is.
void join_chunks(llvm::CallInst &call);

} // namespace gpuexec

#endif
