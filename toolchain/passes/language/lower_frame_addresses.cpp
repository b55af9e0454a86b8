//===-- toolchain/passes/language/lower_frame_addresses.cpp - Of callers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __builtin_frame_address(N), __builtin_return_address(N). A GPU's functions
// keep no chain of frames: what saves a caller's registers, and where, is known
// to the backend alone. For AMD clang 22 makes ill-typed code of a frame
// address (a private pointer where a generic one is wanted), at which the
// optimiser or the backend crashes. The NVPTX backend returns null.
//
// Level 0 of the frame address becomes the address of a local variable of the
// function: programs use it as a mark on the stack (how deep a recursion is,
// where a garbage collector begins to scan). The return address of level 0 is
// left to the backends; NVPTX returns null. Other levels are null, GCC's value
// for a frame above the outermost one, and clang warns.
//
// First in clang, before a pass meets the ill-typed code.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

void warn(const IntrinsicInst &call) {
  const bool frame = call.getIntrinsicID() == Intrinsic::frameaddress;
  std::string place = call.getModule()->getSourceFileName();
  if (const DebugLoc &location = call.getDebugLoc())
    place = (Twine(location->getFilename()) + ":" + Twine(location->getLine()))
                .str();
  call.getContext().diagnose(DiagnosticInfoGeneric(
      Twine(place) + ": " + call.getFunction()->getName() + "(): " +
          (frame ? "__builtin_frame_address" : "__builtin_return_address") +
          " of a calling function is null: a GPU keeps no chain of frames",
      DS_Warning));
}

/// The address of a variable that this function adds to `function`.
Value *add_mark(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *mark = builder.CreateAlloca(builder.getInt64Ty());
  builder.SetInsertPoint(
      &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return builder.CreateAddrSpaceCast(mark, builder.getPtrTy());
}

/// Clang uses the private pointer that the intrinsic returns as a generic one.
/// Makes `address` of it, and generic pointers of what is computed from it.
void replace(Value &wrong, Value *address) {
  for (Use &use : make_early_inc_range(wrong.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    use.set(address);
    if (isa<AddrSpaceCastInst>(user) && user->getType() == address->getType()) {
      user->replaceAllUsesWith(address);
      user->eraseFromParent();
    } else if (user->getType()->isPointerTy() &&
               user->getType() != address->getType() &&
               isa<PHINode, SelectInst, GetElementPtrInst>(user)) {
      user->mutateType(address->getType());
      replace(*user, user);
    }
  }
}

bool is_frame(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::frameaddress ||
         call.getIntrinsicID() == Intrinsic::eh_dwarf_cfa;
}

bool is_of_caller(const IntrinsicInst &call) {
  return call.getIntrinsicID() != Intrinsic::eh_dwarf_cfa &&
         !cast<ConstantInt>(call.getArgOperand(0))->isZero();
}

bool lower(Function &function) {
  SmallVector<IntrinsicInst *> found;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (is_frame(*call) ||
          (call->getIntrinsicID() == Intrinsic::returnaddress &&
           is_of_caller(*call)))
        found.push_back(call);
  Value *mark = nullptr;
  for (IntrinsicInst *call : found) {
    if (is_of_caller(*call)) {
      warn(*call);
      replace(*call, ConstantPointerNull::get(
                         PointerType::get(call->getContext(), 0)));
    } else {
      if (!mark)
        mark = add_mark(function);
      replace(*call, mark);
    }
    call->eraseFromParent();
  }
  return !found.empty();
}

} // namespace

PreservedAnalyses gpuexec::lower_frame_addresses(Function &function,
                                                 FunctionAnalysisManager &) {
  return lower(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
