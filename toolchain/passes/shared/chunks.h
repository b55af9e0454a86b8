//===-- toolchain/passes/shared/chunks.h - Loops of one iteration ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_PASSES_CHUNKS_H
#define GPUEXEC_PASSES_CHUNKS_H

#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// clang makes of a loop whose chunks have one iteration (schedule(static, 1))
/// an outer loop over the chunks of a thread and an inner loop over the
/// iterations of a chunk. Tells LLVM that the inner one has one iteration, by
/// setting the chunk's last iteration to its first. `call`: a call of
/// __kmpc_for_static_init_4, _4u, _8 or _8u. Leaves code of another form as it
/// is.
void join_chunks(llvm::CallInst &call);

} // namespace gpuexec

#endif
