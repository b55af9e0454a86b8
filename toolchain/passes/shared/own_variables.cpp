//===-- toolchain/passes/shared/own_variables.cpp - errno, optarg ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See own_variables.h.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/own_variables.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

void gpuexec::bind_own_variable(GlobalVariable &variable, Function &function) {
  convertUsersOfConstantsToInstructions({&variable});
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue; // an initialiser
    auto *phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator()
                            : user);
    Value *address = builder.CreateCall(&function);
    if (address->getType() != variable.getType())
      address = builder.CreateAddrSpaceCast(address, variable.getType());
    use.set(address);
  }
}
