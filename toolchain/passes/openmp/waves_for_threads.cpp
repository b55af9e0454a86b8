//===-- toolchain/passes/openmp/waves_for_threads.cpp - A wave for each ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP thread is a lane, unless the program has busy waits of its own
// (note_busy_waits.cpp) or the user wants blocks of one thread: then this pass
// changes the grid that the loader launches to blocks of one lane, and each
// thread is a wave. Waves that wait for each other all get on; lanes of one
// wave do not. A warning says where the program waits and what it costs; with
// another number of threads a block the user keeps the lanes.
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "gpu/start_up.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <cstdlib>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::RuntimeName;

namespace {

/// The first place where the program waits, and how many more there are.
std::string places(const NamedMDNode &waits) {
  const MDOperand &first = waits.getOperand(0)->getOperand(0);
  const unsigned more = waits.getNumOperands() - 1;
  return (cast<MDString>(first)->getString() +
          (more ? " (and " + Twine(more) + " more)" : Twine()))
      .str();
}

void warn(Module &module, const NamedMDNode &waits) {
  module.getContext().diagnose(DiagnosticInfoGeneric(
      places(waits) +
          " waits in a loop for what another thread writes, and lanes of a "
          "wave cannot wait for each other: each OpenMP thread of this program "
          "is a wave, of which one lane works, so that a GPU has a 64th (RDNA: "
          "a 32nd) of the threads "
          "(gpucc --gpu-max-threads-per-block=256: lanes all the same)",
      DS_Warning));
}

} // namespace

PreservedAnalyses gpuexec::waves_for_threads(Module &module,
                                             ModuleAnalysisManager &) {
  GlobalVariable *grid = module.getNamedGlobal(GPUEXEC_GRID);
  if (!find_variable(module, RuntimeName::threads_of_openmp) || !grid ||
      !grid->hasInitializer())
    return PreservedAnalyses::all();
  const char *said = std::getenv(BLOCK_THREADS);
  const StringRef threads = said ? said : "";
  const NamedMDNode *waits = module.getNamedMetadata(BUSY_WAITS);
  if (threads.empty() || threads == AUTOMATIC) {
    if (!waits)
      return PreservedAnalyses::all();
    warn(module, *waits);
  } else if (threads != "1") {
    return PreservedAnalyses::all();
  }
  Type *word = Type::getInt32Ty(module.getContext());
  grid->setInitializer(
      ConstantStruct::get(cast<StructType>(grid->getValueType()),
                          {ConstantInt::get(word, GPUEXEC_GRID_OF_LANES),
                           ConstantInt::get(word, 1)}));
  module.addModuleFlag(Module::Max, OPENMP_WAVES, 1);
  return PreservedAnalyses::none();
}
