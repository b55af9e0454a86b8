//===-- toolchain/passes/shared/generic_pointers.cpp ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See generic_pointers.h.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/generic_pointers.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// Does the instruction compute a pointer from pointers among its operands?
bool passes_on(const User &user) {
  return isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(user) &&
         user.getType()->isPointerTy();
}

/// Does the instruction make a private address generic?
bool makes_generic(const User &user) {
  return isa<AddrSpaceCastInst>(user) &&
         user.getType()->getPointerAddressSpace() == 0;
}

/// The roots, and the pointers computed from them; generic ones of private ones
/// too if `through_casts`.
template <typename V>
SetVector<V *> computed_from(ArrayRef<V *> roots, bool through_casts = false) {
  SetVector<V *> addresses(roots.begin(), roots.end());
  for (size_t i = 0; i < addresses.size(); ++i)
    for (auto *user : addresses[i]->users())
      if (passes_on(*user) || (through_casts && makes_generic(*user)))
        addresses.insert(user);
  return addresses;
}

/// The generic counterpart of a private address that is a constant: null, or
/// null plus an offset. A null pointer for other values.
Constant *generic_constant(const Value &value, const DataLayout &layout) {
  if (!isa<Constant>(value) || !value.getType()->isPointerTy())
    return nullptr;
  APInt offset(layout.getIndexTypeSizeInBits(value.getType()), 0);
  // The private null is a cast of the generic one, which is stripped as well.
  const Value *base = value.stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (!isa<ConstantPointerNull>(base) ||
      base->getType()->getPointerAddressSpace() != 0)
    return nullptr;
  auto *generic = PointerType::get(value.getContext(), 0);
  return ConstantExpr::getIntToPtr(
      ConstantInt::get(layout.getIntPtrType(generic), offset.getZExtValue()),
      generic);
}

const DataLayout &layout_of(const User &user) {
  return cast<Instruction>(user).getDataLayout();
}

/// Are all operands of the user that are pointers among `addresses`, or
/// constants?
bool is_unmixed(const User &user, const SetVector<const Value *> &addresses) {
  return all_of(user.operands(), [&](const Use &use) {
    return !use->getType()->isPointerTy() || isa<UndefValue>(use) ||
           generic_constant(*use, layout_of(user)) ||
           addresses.contains(use.get());
  });
}

using IsToGroup = function_ref<bool(const CallBase &)>;

/// Can this use of an address be changed to a generic one?
bool can_use(const Use &use, const SetVector<const Value *> &addresses,
             IsToGroup is_to_group) {
  const User &user = *use.getUser();
  if (isa<LoadInst, LifetimeIntrinsic, MemIntrinsic>(user))
    return true;
  if (isa<StoreInst>(user))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user))
    return use.getOperandNo() == 0;
  if (isa<AddrSpaceCastInst>(user))
    return user.getType()->getPointerAddressSpace() == 0;
  if (isa<ICmpInst>(user) || passes_on(user))
    return is_unmixed(user, addresses);
  auto *call = dyn_cast<CallBase>(&user);
  return call && call->isArgOperand(&use) &&
         (is_to_group(*call) ||
          passed_bytes(*call, call->getArgOperandNo(&use)));
}

/// Changes an instruction after its operands have become generic.
void change_user(User &user) {
  if (auto *cast = dyn_cast<AddrSpaceCastInst>(&user)) {
    cast->replaceAllUsesWith(cast->getPointerOperand());
    cast->eraseFromParent();
  } else if (auto *marker = dyn_cast<LifetimeIntrinsic>(&user)) {
    marker->eraseFromParent();
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&user)) {
    SmallVector<Type *, 3> types{memory->getRawDest()->getType()};
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      types.push_back(transfer->getRawSource()->getType());
    types.push_back(memory->getLength()->getType());
    memory->setCalledFunction(Intrinsic::getOrInsertDeclaration(
        memory->getModule(), memory->getIntrinsicID(), types));
  } else if (passes_on(user) || isa<ICmpInst>(user)) {
    auto *generic = PointerType::get(user.getContext(), 0);
    for (Use &use : user.operands())
      if (isa<UndefValue>(use) && use->getType()->isPointerTy())
        use.set(PoisonValue::get(generic));
      else if (Constant *there = generic_constant(*use, layout_of(user)))
        use.set(there);
  }
}

} // namespace

std::optional<uint64_t> passed_bytes(const CallBase &call, unsigned index) {
  const DataLayout &layout = call.getDataLayout();
  Type *type = call.getParamByValType(index);
  if (call.paramHasAttr(index, Attribute::StructRet))
    type = call.getParamStructRetType(index);
  if (call.paramHasAttr(index, Attribute::ByRef))
    type = call.getParamAttr(index, Attribute::ByRef).getValueAsType();
  if (type)
    return layout.getTypeAllocSize(type);
  // The optimiser removes the attributes of internal functions.
  const Value *address = call.getArgOperand(index);
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  auto *variable =
      dyn_cast<AllocaInst>(address->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true));
  auto bytes = variable ? variable->getAllocationSize(layout) : std::nullopt;
  if (!bytes || offset.uge(bytes->getFixedValue()))
    return std::nullopt;
  return bytes->getFixedValue() - offset.getZExtValue();
}

void pass_private_copies(CallBase &call, BasicBlock &entry,
                         function_ref<bool(const Value &)> moves) {
  constexpr Align ALIGNMENT = Align::Constant<16>();
  for (Use &argument : call.args()) {
    const unsigned space = argument->getType()->isPointerTy()
                               ? argument->getType()->getPointerAddressSpace()
                               : 0;
    const unsigned index = call.getArgOperandNo(&argument);
    const std::optional<uint64_t> bytes =
        space && moves(*argument) ? passed_bytes(call, index) : std::nullopt;
    if (!bytes)
      continue;
    IRBuilder<> builder(&entry, entry.begin());
    Value *given = argument;
    AllocaInst *place = builder.CreateAlloca(
        ArrayType::get(builder.getInt8Ty(), *bytes), space);
    place->setAlignment(ALIGNMENT);
    builder.SetInsertPoint(&call);
    if (!call.paramHasAttr(index, Attribute::StructRet))
      builder.CreateMemCpy(place, ALIGNMENT, given, MaybeAlign(4), *bytes);
    builder.SetInsertPoint(call.getNextNode());
    if (!call.isByValArgument(index) &&
        !call.paramHasAttr(index, Attribute::ByRef))
      builder.CreateMemCpy(given, MaybeAlign(4), place, ALIGNMENT, *bytes);
    argument.set(place);
  }
}

bool can_become_generic(ArrayRef<const Value *> roots, IsToGroup is_to_group) {
  const SetVector<const Value *> addresses = computed_from(roots);
  for (const Value *address : addresses)
    for (const Use &use : address->uses())
      if (!can_use(use, addresses, is_to_group))
        return false;
  return true;
}

void make_generic(ArrayRef<Value *> roots) {
  const SetVector<Value *> addresses = computed_from(roots);
  for (Value *address : addresses)
    address->mutateType(PointerType::get(address->getContext(), 0));
  for (Value *address : addresses) {
    SetVector<User *> users(address->user_begin(), address->user_end());
    for (User *user : users)
      change_user(*user);
  }
}

SmallVector<AddrSpaceCastInst *> private_casts(ArrayRef<Value *> variables) {
  SmallVector<AddrSpaceCastInst *> casts;
  for (Value *address : computed_from(variables, /*through_casts=*/true))
    for (User *user : address->users())
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(user);
          cast && cast->getType()->getPointerAddressSpace() &&
          !address->getType()->getPointerAddressSpace())
        casts.push_back(cast);
  return casts;
}

void drop_casts(ArrayRef<AddrSpaceCastInst *> casts) {
  make_generic(SmallVector<Value *>(casts.begin(), casts.end()));
  for (AddrSpaceCastInst *cast : casts) {
    cast->replaceAllUsesWith(cast->getPointerOperand());
    cast->eraseFromParent();
  }
}

} // namespace gpuexec
