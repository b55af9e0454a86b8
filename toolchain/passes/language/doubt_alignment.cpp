//===-- toolchain/passes/language/doubt_alignment.cpp - Cast pointers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs read words from any byte of a buffer: *(uint32_t *)(bytes + i). C
// has no meaning for that, but x86-64's and AMD's processors do it; NVIDIA's
// report a misaligned address, or access another one in a thread's own memory.
// clang gives each access the alignment of its type. This pass lowers the
// alignment where the way to the address speaks against it:
//
// - The address is a pointer of characters (of short integers, ...) that was
//   cast. With optimisation clang tells the declared types of the pointers that
//   are loaded (TBAA).
// - It is computed by steps of bytes that are no multiple of the alignment.
//
// LLVM splits these accesses, unless it proves later that they are aligned. A
// pointer of the access's own type is trusted, as is what a function returns.
// gpucc --unaligned-access trusts no pointer.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

/// The alignment of what nothing speaks against.
constexpr Align TRUSTED = Align::Constant<16>();

/// What the declared type of a pointer says of the memory behind it.
enum class Behind {
  bytes,   ///< it is one of characters
  shorts,  ///< of units of two bytes
  words,   ///< of four
  unknown, ///< of void
  its_own, ///< of anything else
};

/// The type that an access of a pointer has in clang's tree of types for alias
/// analysis, where the pointers are "p1 T", children of "any pointer".
Behind declared(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 2)
    return Behind::its_own;
  const auto *type = dyn_cast_or_null<MDNode>(tag->getOperand(1));
  const auto *name = type && type->getNumOperands()
                         ? dyn_cast_or_null<MDString>(type->getOperand(0))
                         : nullptr;
  return StringSwitch<Behind>(name ? name->getString() : "")
      .Case("p1 omnipotent char", Behind::bytes)
      .Case("p1 short", Behind::shorts)
      .Cases({"p1 int", "p1 float", "p1 wchar_t"}, Behind::words)
      .Case("any pointer", Behind::unknown)
      .Default(Behind::its_own);
}

/// The greatest power of two that divides the number, at most TRUSTED.
Align divisor(uint64_t number) { return commonAlignment(TRUSTED, number); }

/// Finds out how the addresses of a module's accesses may be aligned.
class Doubts {
public:
  explicit Doubts(const DataLayout &layout) : layout(layout) {}

  /// The alignment that may be expected of an address. `of_structure`: a whole
  /// structure is accessed.
  Align bound(Value &address, bool of_structure) {
    seen.clear();
    structure = of_structure;
    return follow(address);
  }

private:
  Align follow(Value &address);
  Align follow_steps(GEPOperator &steps);
  Align follow_load(LoadInst &load);
  Align follow_argument(const Argument &argument);
  bool is_simple(const AllocaInst &variable);
  Align judge(Behind type) const;

  const DataLayout &layout;
  SmallPtrSet<const Value *, 16> seen;
  DenseMap<const AllocaInst *, bool> simple; ///< what is_simple() has found
  bool structure = false; ///< what is accessed is in a structure
};

/// How far a pointer of this type is trusted. void * is what callbacks get:
/// what is behind it is an object if it is used as a structure.
Align Doubts::judge(Behind type) const {
  switch (type) {
  case Behind::bytes:
    return Align(1);
  case Behind::shorts:
    return Align(2);
  case Behind::words:
    return Align(4);
  case Behind::unknown:
    return structure ? TRUSTED : Align(1);
  case Behind::its_own:
    break;
  }
  return TRUSTED;
}

Align Doubts::follow_steps(GEPOperator &steps) {
  SmallMapVector<Value *, APInt, 4> strides;
  const unsigned width = layout.getIndexTypeSizeInBits(steps.getType());
  APInt fixed(width, 0);
  if (!steps.collectOffset(layout, width, strides, fixed))
    return Align(1);
  structure |= isa<StructType>(steps.getSourceElementType());
  Align found = divisor(fixed.getZExtValue());
  for (const auto &[index, stride] : strides) {
    const unsigned zeros =
        computeKnownBits(index, SimplifyQuery(layout)).countMinTrailingZeros();
    found =
        std::min(found, divisor(stride.getZExtValue() << std::min(zeros, 4u)));
  }
  return found == Align(1)
             ? found
             : std::min(found, follow(*steps.getPointerOperand()));
}

/// Whether the variable is only loaded and stored as a whole.
bool Doubts::is_simple(const AllocaInst &variable) {
  const auto [known, fresh] = simple.try_emplace(&variable, false);
  if (!fresh)
    return known->second;
  return known->second = all_of(variable.users(), [&](const User *user) {
           if (auto *load = dyn_cast<LoadInst>(user))
             return load->getType() == variable.getAllocatedType();
           if (auto *store = dyn_cast<StoreInst>(user))
             return store->getValueOperand() != &variable &&
                    store->getValueOperand()->getType() ==
                        variable.getAllocatedType();
           auto *call = dyn_cast<IntrinsicInst>(user);
           return call && call->isLifetimeStartOrEnd();
         });
}

Align Doubts::follow_load(LoadInst &load) {
  auto *variable = dyn_cast<AllocaInst>(load.getPointerOperand());
  if (!variable || !is_simple(*variable))
    return judge(declared(load));
  Align found = TRUSTED;
  if (!seen.insert(variable).second) // all of its values are followed once
    return found;
  for (User *user : variable->users())
    if (auto *store = dyn_cast<StoreInst>(user)) {
      Value &value = *store->getValueOperand();
      if (isa<Argument>(value))
        found = std::min(found, judge(declared(*store)));
      found = std::min(found, follow(value));
    }
  return found;
}

/// The least of what the calls of a function pass, if all of them are known.
Align Doubts::follow_argument(const Argument &argument) {
  const Function &function = *argument.getParent();
  Align found = TRUSTED;
  if (!function.hasLocalLinkage() || function.hasAddressTaken())
    return found;
  for (const User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user);
        call && argument.getArgNo() < call->arg_size())
      found =
          std::min(found, follow(*call->getArgOperand(argument.getArgNo())));
  return found;
}

Align Doubts::follow(Value &address) {
  if (!seen.insert(&address).second)
    return TRUSTED;
  if (isa<GlobalVariable, AllocaInst>(address))
    return address.getPointerAlignment(layout);
  if (auto *steps = dyn_cast<GEPOperator>(&address))
    return follow_steps(*steps);
  if (auto *load = dyn_cast<LoadInst>(&address))
    return follow_load(*load);
  if (auto *argument = dyn_cast<Argument>(&address))
    return follow_argument(*argument);
  if (auto *cast = dyn_cast<AddrSpaceCastOperator>(&address))
    return follow(*cast->getPointerOperand());
  Align found = TRUSTED;
  if (auto *choice = dyn_cast<SelectInst>(&address))
    found = std::min(follow(*choice->getTrueValue()),
                     follow(*choice->getFalseValue()));
  if (auto *merged = dyn_cast<PHINode>(&address))
    for (Value *value : merged->incoming_values())
      found = std::min(found, follow(*value));
  return found;
}

/// Lowers the alignment of what a call of memcpy() or memset() accesses.
bool lower(MemIntrinsic &call, Doubts &doubts) {
  bool changed = false;
  const auto doubt = [&](Value *address, MaybeAlign now, auto set) {
    if (now.valueOrOne() == Align(1))
      return;
    const Align found = doubts.bound(*address, true);
    if (found >= now.valueOrOne())
      return;
    set(found);
    changed = true;
  };
  doubt(call.getRawDest(), call.getDestAlign(),
        [&](Align found) { call.setDestAlignment(found); });
  if (auto *copy = dyn_cast<MemTransferInst>(&call))
    doubt(copy->getRawSource(), copy->getSourceAlign(),
          [&](Align found) { copy->setSourceAlignment(found); });
  return changed;
}

bool lower(Instruction &instruction, Doubts &doubts) {
  if (auto *call = dyn_cast<MemIntrinsic>(&instruction))
    return lower(*call, doubts);
  Value *address = getLoadStorePointerOperand(&instruction);
  if (!address || instruction.isAtomic())
    return false;
  const Align now = getLoadStoreAlignment(&instruction);
  if (now == Align(1))
    return false;
  const Align found = doubts.bound(*address, false);
  if (found >= now)
    return false;
  setLoadStoreAlignment(&instruction, found);
  return true;
}

} // namespace

PreservedAnalyses gpuexec::doubt_alignment(Module &module,
                                           ModuleAnalysisManager &) {
  Doubts doubts(module.getDataLayout());
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      changed |= lower(instruction, doubts);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
