//===-- toolchain/passes/speed/limit_blocks.cpp - A block's threads -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells LLVM the most threads that a block of the program has: the user's
// number (gpucc --gpu-max-threads-per-block), or, without one, 1 if the program
// cannot see how its threads are divided into blocks, or is one of OpenMP whose
// threads are waves. Then gpuexec launches a block for each thread that the
// user asks for. With one thread a block LLVM
// knows that all branches and values are uniform: it treats the program as on a
// CPU, and computes no masks of lanes.
//===----------------------------------------------------------------------===//
#include "gpu/one_thread.h"
#include "gpu/start_up.h"
#include "toolchain/passes/passes.h"
#include <cstdlib>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

/// The address space of variables that all threads see.
constexpr unsigned GLOBAL = 1;

/// Adds the variable by which the loader knows that it has to launch blocks
/// instead of threads.
void tell_loader(Module &module) {
  Constant *one = ConstantInt::get(Type::getInt8Ty(module.getContext()), 1);
  auto *variable = new GlobalVariable(
      module, one->getType(), true, GlobalValue::ExternalLinkage, one,
      GPUEXEC_THREADS_ARE_BLOCKS, nullptr, GlobalValue::NotThreadLocal, GLOBAL);
  variable->setVisibility(GlobalValue::ProtectedVisibility);
  appendToUsed(module, {variable});
}

/// Do the threads of a block wait for each other? The C library has no
/// barriers; a file compiled without gpucc, which has no flag, may have them.
bool has_barriers(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isIntrinsic() &&
           function.getName().starts_with("llvm.amdgcn.s.barrier");
  });
}

} // namespace

PreservedAnalyses gpuexec::limit_blocks(Module &module,
                                        ModuleAnalysisManager &) {
  const char *said = std::getenv(BLOCK_THREADS);
  StringRef threads = said ? said : "";
  if (threads == AUTOMATIC) {
    if (!module.getModuleFlag(OPENMP_WAVES)) {
      if (module.getModuleFlag(SEES_THREADS) || has_barriers(module))
        return PreservedAnalyses::all();
      tell_loader(module);
    }
    threads = "1";
  }
  if (threads.empty())
    return PreservedAnalyses::all();
  if (threads == "1")
    module.addModuleFlag(Module::Max, ONE_THREAD, 1);
  for (Function &function : module)
    if (!function.isIntrinsic())
      function.addFnAttr("amdgpu-flat-work-group-size", "1," + threads.str());
  return PreservedAnalyses::none();
}
