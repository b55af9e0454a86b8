//===-- toolchain/passes/shared/moved_variables.cpp - Off the stack -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/moved_variables.h"
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

bool gpuexec::can_move(const AllocaInst &variable) {
  return variable.getAddressSpace() == 0 ||
         all_of(variable.users(), [](const User *user) {
           return isa<AddrSpaceCastInst>(user) ||
                  isa<LifetimeIntrinsic>(user) || isa<DbgInfoIntrinsic>(user);
         });
}

void gpuexec::replace_variable(AllocaInst &variable, Value *address) {
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user))
      lifetime->eraseFromParent();
  if (variable.getAddressSpace() != 0)
    for (User *user : make_early_inc_range(variable.users()))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(user)) {
        cast->replaceAllUsesWith(address);
        cast->eraseFromParent();
      }
  if (variable.getAddressSpace() == 0)
    variable.replaceAllUsesWith(address);
  variable.eraseFromParent();
}
