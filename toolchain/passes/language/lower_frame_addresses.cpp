//===-- toolchain/passes/language/lower_frame_addresses.cpp - Of callers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GNU C has __builtin_frame_address(N) and __builtin_return_address(N), where N
// is a number of callers to go up. GPU functions keep no chain of frames: only
// the backend knows where a caller's registers are saved. For a frame address
// clang 22 makes ill-typed code on AMD (a private pointer in the place of a
// generic one), at which the optimiser or the backend crashes. The NVPTX
// backend returns null.
//
// This pass makes the frame address of level 0 the address of a local variable
// of the function: programs use it as a position on the stack (how deep a
// recursion is, where a garbage collector begins to scan). It leaves the return
// address of level 0 to the backends; NVPTX's returns null. It makes other
// levels null, GCC's value for a frame above the outermost one, and warns.
//
// It runs first in clang, before other passes meet the ill-typed code.
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

/// Adds a local variable to the function; returns its generic address.
Value *add_mark(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *mark = builder.CreateAlloca(builder.getInt64Ty());
  builder.SetInsertPoint(
      &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return builder.CreateAddrSpaceCast(mark, builder.getPtrTy());
}

/// Replaces the private pointer `wrong`, which clang uses as a generic one, by
/// the generic `address`, and changes the types of pointers computed from it.
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

/// Is it a call of an intrinsic that returns the address of a frame?
bool is_frame(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::frameaddress ||
         call.getIntrinsicID() == Intrinsic::eh_dwarf_cfa;
}

/// Does it ask for a level other than 0?
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
