//===-- emulator/amdgpu/jit/variable_types.cpp - Types of variables -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/variable_types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

/// Reads `variable` as `type` instead; what needs an integer gets its bits.
static void retype(LoadInst &load, Value &variable, Type *type) {
  IRBuilder<> ir(&load);
  Value *value = ir.CreateLoad(type, &variable), *bits = nullptr;
  for (Use &use : make_early_inc_range(load.uses())) {
    auto *store = dyn_cast<StoreInst>(use.getUser());
    if (store && store->getValueOperand() == &load) {
      use.set(value);
      continue;
    }
    if (!bits)
      bits = ir.CreateBitCast(value, load.getType());
    use.set(bits);
  }
  load.eraseFromParent();
}

/// Writes a variable as `type` instead.
static void retype(StoreInst &store, Type *type) {
  Value *value = store.getValueOperand();
  auto *from = dyn_cast<LoadInst>(value);
  // Of the program's memory, which is read once.
  if (from && from->hasOneUse() && from->isVolatile()) {
    store.setOperand(
        0, IRBuilder<>(from).CreateAlignedLoad(type, from->getPointerOperand(),
                                               from->getAlign(), true));
    from->eraseFromParent();
    return;
  }
  store.setOperand(0, IRBuilder<>(&store).CreateBitCast(value, type));
}

void make_float(Value &variable, Type *type) {
  SmallVector<Instruction *, 32> accesses;
  for (User *user : variable.users())
    if (isa<LoadInst, StoreInst>(user))
      accesses.push_back(cast<Instruction>(user));
  for (Instruction *access : accesses)
    if (auto *load = dyn_cast<LoadInst>(access))
      retype(*load, variable, type);
    else
      retype(*cast<StoreInst>(access), type);
}

void widen(AllocaInst &pair) {
  SmallVector<std::pair<Instruction *, unsigned>, 32> accesses; // and shift
  for (User *user : pair.users()) {
    if (auto *half = dyn_cast<GetElementPtrInst>(user)) {
      for (User *access : half->users())
        accesses.push_back({cast<Instruction>(access), 32});
    } else if (getLoadStoreType(user)->isIntegerTy(32))
      accesses.push_back({cast<Instruction>(user), 0});
  }
  for (auto [access, shift] : accesses) {
    IRBuilder<> ir(access);
    Value *whole = ir.CreateLoad(ir.getInt64Ty(), &pair);
    if (auto *load = dyn_cast<LoadInst>(access))
      load->replaceAllUsesWith(
          ir.CreateTrunc(ir.CreateLShr(whole, shift), ir.getInt32Ty()));
    else {
      Value *half = ir.CreateZExt(cast<StoreInst>(access)->getValueOperand(),
                                  ir.getInt64Ty());
      Value *rest = ir.CreateAnd(whole, uint64_t(0xffffffff) << (32 - shift));
      ir.CreateStore(ir.CreateOr(rest, ir.CreateShl(half, shift)), &pair);
    }
    access->eraseFromParent();
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
