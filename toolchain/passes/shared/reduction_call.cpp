//===-- toolchain/passes/shared/reduction_call.cpp - clang's calls --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/reduction_call.h"
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

gpuexec::List gpuexec::read_list(Value *list) {
  List result;
  auto *variable = dyn_cast<AllocaInst>(list->stripPointerCasts());
  auto *type =
      variable ? dyn_cast<ArrayType>(variable->getAllocatedType()) : nullptr;
  if (!type)
    return result;
  result.pointers.resize(type->getNumElements());
  const DataLayout &layout = variable->getDataLayout();
  SmallVector<std::pair<Value *, uint64_t>> addresses = {{variable, 0}};
  while (!addresses.empty()) {
    auto [address, offset] = addresses.pop_back_val();
    for (User *user : address->users())
      if (isa<AddrSpaceCastInst, BitCastInst>(user)) {
        addresses.emplace_back(user, offset);
      } else if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
        APInt more(layout.getIndexTypeSizeInBits(element->getType()), 0);
        if (element->accumulateConstantOffset(layout, more))
          addresses.emplace_back(element, offset + more.getZExtValue());
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        if (store->getPointerOperand() == address &&
            offset / 8 < result.pointers.size())
          result.pointers[offset / 8] = store->getValueOperand();
      }
  }
  return result;
}

Function *gpuexec::find_combiner(Function &shuffles) {
  for (Instruction &instruction : instructions(shuffles))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (Function *callee = call->getCalledFunction();
          callee && !callee->isDeclaration() && callee->arg_size() == 2)
        return callee;
  return nullptr;
}
