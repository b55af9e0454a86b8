//===-- toolchain/passes/fixes/prepare_parts.cpp - Links in parts ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For NVIDIA gpucc lets LLVM divide a C++ program into parts before it makes
// machine code (add_nvidia in toolchain/gpucc/plan.cpp, which sets the variable
// GPUEXEC_PARTS). What was local to the program, or defined in it, is external
// for most parts then, and of that ptxas refuses
// - names with other characters than letters, digits, _ and $. LLVM's backend
//   spells local names with _$_; this pass spells them so before the division;
// - .pred, LLVM's type of a variable of one bit: this pass makes a byte of it;
// - vprintf, malloc and free, which it takes for CUDA's (see
//   rename_system_calls.cpp): this pass appends a $.
// LLVM then makes machine code of the parts in as many threads as the process
// has processors, but clang-nvlink-wrapper 22 collects the results without a
// lock and crashes now and then. So this pass leaves the process one processor.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <cstdlib>
#include <sched.h>

using namespace llvm;

namespace {

std::string spelled(StringRef name) {
  std::string result;
  for (char character : name)
    if (isAlnum(character) || character == '_' || character == '$')
      result += character;
    else
      result += "_$_";
  return result;
}

/// Replaces a variable of one bit by a byte with the same bit as value.
void make_byte(GlobalVariable &bit) {
  Type *byte = Type::getInt8Ty(bit.getContext());
  auto *value = dyn_cast<ConstantInt>(bit.getInitializer());
  Constant *initial = value ? ConstantInt::get(byte, value->getZExtValue())
                            : UndefValue::get(byte);
  auto *variable = new GlobalVariable(
      *bit.getParent(), byte, bit.isConstant(), bit.getLinkage(), initial, "",
      &bit, bit.getThreadLocalMode(), bit.getAddressSpace());
  variable->copyAttributesFrom(&bit);
  variable->takeName(&bit);
  bit.replaceAllUsesWith(variable);
  bit.eraseFromParent();
}

/// Restricts this thread, and those that it starts, to the processor on which
/// it is running: LLVM counts these for its number of threads.
void use_one_processor() {
  const int current = sched_getcpu();
  if (current < 0 || current >= CPU_SETSIZE)
    return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(current, &one);
  sched_setaffinity(0, sizeof one, &one);
}

} // namespace

PreservedAnalyses gpuexec::prepare_parts(Module &module,
                                         ModuleAnalysisManager &) {
  if (!std::getenv("GPUEXEC_PARTS"))
    return PreservedAnalyses::all();
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (variable.hasInitializer() && variable.getValueType()->isIntegerTy(1))
      make_byte(variable);
  for (GlobalValue &symbol : module.global_values())
    if (symbol.hasLocalLinkage()) {
      const std::string name = spelled(symbol.getName());
      if (name != symbol.getName())
        symbol.setName(name);
    }
  for (const auto &[name, renamed] : SYSTEM_CALLS)
    if (Function *function = module.getFunction(name))
      function->setName(Twine(name) + "$");
  use_one_processor();
  return PreservedAnalyses::none();
}
