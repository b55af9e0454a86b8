//===-- emulator/ptx/tool/external_variables.cpp - Variables elsewhere ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See compile.h. A code object has no relocation against another one, so it
// holds the address of each variable that another one defines in a variable of
// its own, which who loads it fills in.
#include "emulator/ptx/device/client.h"
#include "emulator/ptx/tool/compile.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The address of `variable` in a function: one load in its first block.
Value *load_address(Function &function, GlobalVariable &variable,
                    GlobalVariable &place) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  LoadInst *word = builder.CreateLoad(builder.getInt64Ty(), &place);
  word->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(function.getContext(), {}));
  return builder.CreateIntToPtr(word, variable.getType());
}

void replace_uses(GlobalVariable &variable, GlobalVariable &place) {
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function *, Value *> addresses;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue; // a variable's initial value: the caller has none
    Value *&address = addresses[user->getFunction()];
    if (!address)
      address = load_address(*user->getFunction(), variable, place);
    use.set(address);
  }
}

} // namespace

void reach_external_variables(llvm::Module &module) {
  LLVMContext &context = module.getContext();
  llvm::Type *word = llvm::Type::getInt64Ty(context);
  SmallVector<GlobalVariable *> external;
  for (GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty() &&
        variable.getAddressSpace() != AMDGPUAS::LOCAL_ADDRESS)
      external.push_back(&variable);
  for (GlobalVariable *variable : external) {
    auto *place = new GlobalVariable(
        module, word, /*isConstant=*/false, GlobalValue::ExternalLinkage,
        ConstantInt::get(word, 0), GPUEXEC_CUDA_EXTERNAL + variable->getName(),
        nullptr, GlobalValue::NotThreadLocal, AMDGPUAS::GLOBAL_ADDRESS,
        /*isExternallyInitialized=*/true);
    place->setVisibility(GlobalValue::ProtectedVisibility);
    place->setAlignment(Align(8));
    replace_uses(*variable, *place);
  }
}

} // namespace gpuexec::ptx
