//===-- toolchain/passes/shared/captures.cpp - Who gets an address --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's analysis (PointerMayBeCaptured) finds the places where an address is
// stored. An address that is stored in a local variable, which the function
// only loads from and stores to, is followed through these loads: int *rows[] =
// {first, second}, and each pointer at -O0.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/captures.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

/// The search gives up and assumes that the address is captured after this many
/// uses, or this many variables that hold it.
constexpr unsigned MOST_USES = 1000, MOST_HOLDERS = 100;

/// Can a value of the type hold an address, or enough bits to restore it?
bool can_hold_address(const Type &type) {
  return !type.isFloatTy() && !type.isDoubleTy() &&
         (!type.isIntegerTy() || type.getIntegerBitWidth() > 32);
}

/// Finds the loads of pointers from a variable. False if it has uses other than
/// stores and loads of pointers and small numbers.
bool find_loads(const Value &address, SetVector<const Value *> &loads) {
  return all_of(address.users(), [&](const User *user) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->getType()->isPointerTy())
        loads.insert(load);
      return !load->isVolatile() && (load->getType()->isPointerTy() ||
                                     !can_hold_address(*load->getType()));
    }
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == &address &&
             store->getValueOperand() != &address && !store->isVolatile();
    if (isa<AddrSpaceCastInst, GetElementPtrInst>(user))
      return find_loads(*user, loads);
    return isa<LifetimeIntrinsic, MemSetInst>(user);
  });
}

/// Does the program use only the lower bits of a number computed from an
/// address, as a test of its alignment does, or compare it?
bool only_aligns(const Value &number) {
  constexpr uint64_t MOST = 4096;
  return all_of(number.users(), [](const User *user) {
    const auto *mask = user->getNumOperands() > 1
                           ? dyn_cast<ConstantInt>(user->getOperand(1))
                           : nullptr;
    switch (cast<Instruction>(user)->getOpcode()) {
    case Instruction::And:
      return mask && mask->getValue().ult(MOST);
    case Instruction::Trunc:
      return !can_hold_address(*user->getType());
    case Instruction::ICmp:
      return true;
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Add:
    case Instruction::Sub:
      return only_aligns(*user);
    default:
      return false;
    }
  });
}

/// Looks for uses by which another thread could get an address.
struct Captures : CaptureTracker {
  explicit Captures(SetVector<const AllocaInst *> &holders)
      : holders(holders) {}

  void tooManyUses() override { found = true; }
  Action captured(const Use *use, UseCaptureInfo info) override {
    auto *user = cast<Instruction>(use->getUser());
    if (gpuexec::is_of_va_list(*user) || isa<ReturnInst>(user))
      return ContinueIgnoringReturn;
    // A use that reveals only the address as a number, without the right to
    // access memory by it, gives nobody access to the variable.
    if (!capturesAnyProvenance(info.UseCC) ||
        (isa<PtrToIntInst>(user) && only_aligns(*user)))
      return Continue;
    if (auto *store = dyn_cast<StoreInst>(user);
        store && !store->isVolatile() && store->getValueOperand() == use->get())
      if (auto *holder = dyn_cast<AllocaInst>(
              getUnderlyingObject(store->getPointerOperand()))) {
        holders.insert(holder);
        return Continue;
      }
    found = true;
    return Stop;
  }

  SetVector<const AllocaInst *> &holders;
  bool found = false;
};

} // namespace

bool gpuexec::is_of_va_list(const Instruction &instruction) {
  return isa<VAStartInst, VACopyInst, VAEndInst>(instruction);
}

bool gpuexec::may_reach_other_threads(const Value &address) {
  SetVector<const AllocaInst *> holders;
  SetVector<const Value *> addresses;
  addresses.insert(&address);
  for (size_t i = 0, looked_at = 0; i < addresses.size(); ++i) {
    Captures captures(holders);
    PointerMayBeCaptured(addresses[i], &captures, MOST_USES);
    if (captures.found || holders.size() > MOST_HOLDERS)
      return true;
    for (; looked_at < holders.size(); ++looked_at)
      if (!find_loads(*holders[looked_at], addresses))
        return true;
  }
  return false;
}
