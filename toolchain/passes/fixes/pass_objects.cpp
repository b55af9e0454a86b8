//===-- toolchain/passes/fixes/pass_objects.cpp - Objects by value --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object of C++ that has a destructor, or a constructor for copies or moves,
// is passed by value as the address of the caller's object. For NVIDIA's GPUs
// clang 22 marks the parameter `byval` as well, and LLVM gives the function a
// copy of the bytes: what the function moves out of it the caller destroys
// again, and an address inside of it (std::string) is that of the original.
// This pass takes the mark away. It runs before any other pass sees it.
//
// toolchain/frontend/list_objects.cpp says which types these are.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/object_arguments.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

using Types = SmallPtrSet<Type *, 16>;

/// Takes the list of types out of the module.
Types take_types(Module &module, Function &list) {
  Types types;
  for (const Argument &argument : list.args())
    if (Type *type = argument.getParamByValType())
      types.insert(type);
  removeFromUsedLists(module, [&](Constant *used) {
    return used->stripPointerCasts() == &list;
  });
  list.eraseFromParent();
  return types;
}

/// Function and CallBase have these members alike.
template <typename Parameters>
void pass_by_address(Parameters &function, unsigned count, const Types &types) {
  for (unsigned i = 0; i < count; ++i)
    if (types.contains(function.getParamByValType(i)))
      function.removeParamAttr(i, Attribute::ByVal);
}

} // namespace

PreservedAnalyses gpuexec::pass_objects(Module &module,
                                        ModuleAnalysisManager &) {
  Function *list = module.getFunction(OBJECT_ARGUMENTS);
  if (!list)
    return PreservedAnalyses::all();
  const Types types = take_types(module, *list);
  for (Function &function : module) {
    pass_by_address(function, unsigned(function.arg_size()), types);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        pass_by_address(*call, call->arg_size(), types);
  }
  return PreservedAnalyses::none();
}
