//===-- emulator/ptx/tool/frame_addresses.cpp - Around a fault of LLVM ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22 moves a local variable's address into a scalar register by an
// addition that overwrites SCC, also where a comparison's result is in it, if
// the frame has no constant place: in functions, and in kernels with alloca.
// In a vector register the address needs no such addition.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/tool/compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuexec::ptx {

/// Whether the use is as an address of memory alone, which has an offset.
static bool is_access(const Use &use) {
  const User *user = use.getUser();
  if (isa<LoadInst>(user))
    return true;
  if (isa<StoreInst>(user))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

static void move_to_vector(Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  IRBuilder<> ir(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
  llvm::Type *type = use->getType();
  Value *moved = ir.CreateCall(
      InlineAsm::get(FunctionType::get(type, {type}, false), "v_mov_b32 $0, $1",
                     "=v,v", /*hasSideEffects=*/false),
      {use.get()});
  if (!phi)
    use.set(moved);
  else // all edges from one block have one value
    for (unsigned at = 0; at < phi->getNumIncomingValues(); ++at)
      if (phi->getIncomingBlock(at) == phi->getIncomingBlock(use))
        phi->setIncomingValue(at, moved);
}

void keep_frame_addresses_in_vectors(llvm::Module &module) {
  for (llvm::Function &function : module) {
    SmallVector<Value *, 16> addresses;
    bool has_dynamic = false;
    for (Instruction &each : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&each)) {
        has_dynamic |= !variable->isStaticAlloca();
        if (variable->isStaticAlloca())
          addresses.push_back(variable);
      }
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !has_dynamic)
      continue;
    while (!addresses.empty()) {
      Value *address = addresses.pop_back_val();
      SmallVector<Use *, 16> uses(make_pointer_range(address->uses()));
      for (Use *use : uses) {
        auto *offset = dyn_cast<GetElementPtrInst>(use->getUser());
        if (offset && offset->hasAllConstantIndices())
          addresses.push_back(offset);
        else if (!is_access(*use))
          move_to_vector(*use);
      }
    }
  }
}

} // namespace gpuexec::ptx
