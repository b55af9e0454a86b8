//===-- toolchain/passes/openmp/note_busy_waits.cpp - while (!flag); ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loops of a file in which a thread waits for what another thread
// writes, and names them for the link (waves_for_threads.cpp), where it is
// known whether the program's threads are OpenMP's. Each round of such a loop
// lets other waves run.
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/busy_waits.h"
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace {

/// Of s_sleep, in 64 cycles: what the C library's waits use.
constexpr uint32_t SLEEP = 2;

/// "FILE:LINE: FUNCTION()", as far as it is known.
std::string place_of(const gpuexec::BusyWait &wait) {
  const Function &function = *wait.header->getParent();
  std::string file = function.getParent()->getSourceFileName();
  if (wait.location)
    file = (wait.location->getFilename() + ":" + Twine(wait.location.getLine()))
               .str();
  // clang puts a parallel region into a function of its own.
  const StringRef name = function.getName().split(".omp_outlined").first;
  return file + ": " + name.str() + "()";
}

} // namespace

PreservedAnalyses gpuexec::note_busy_waits(Module &module,
                                           ModuleAnalysisManager &analyses) {
  FunctionAnalysisManager &of_functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  const SmallVector<BusyWait> waits = find_busy_waits(module, of_functions);
  for (const BusyWait &wait : waits) {
    LLVMContext &context = module.getContext();
    module.getOrInsertNamedMetadata(BUSY_WAITS)
        ->addOperand(
            MDNode::get(context, MDString::get(context, place_of(wait))));
    IRBuilder<> builder(&*wait.header->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(wait.location);
    builder.CreateIntrinsic(Intrinsic::amdgcn_s_sleep,
                            {builder.getInt32(SLEEP)});
  }
  return waits.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
