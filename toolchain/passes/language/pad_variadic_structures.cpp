//===-- toolchain/passes/language/pad_variadic_structures.cpp -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure among variable arguments takes whole slots of 8 bytes
// (shared/variadic_call.h). For AMD clang loads it as one value, which loses
// bytes of a union that are padding in one member and data in another. For
// NVIDIA clang passes each member as an argument of its own, so that the end of
// the structure is unknown.
//
// This pass runs first in clang, where the arguments are still loads from the
// structure's address, and copies the structure from there into whole slots.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/variadic_call.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace {

/// A structure among the arguments of a call.
struct Structure {
  LoadInst *first;    ///< loads its first bytes
  uint64_t bytes;     ///< its size
  unsigned arguments; ///< the number of arguments that are its parts
};

/// The argument if it is a load that may belong to a structure, else null.
/// clang marks scalars as noundef, but of structures only the parts of complex
/// numbers.
LoadInst *load_of(const CallBase &call, unsigned index) {
  if (index >= call.arg_size())
    return nullptr;
  auto *load = dyn_cast<LoadInst>(call.getArgOperand(index));
  const bool may_be =
      load && load->isSimple() && load->hasOneUse() &&
      (load->getType()->isAggregateType() || load->getType()->isFloatTy() ||
       !call.paramHasAttr(index, Attribute::NoUndef));
  return may_be ? load : nullptr;
}

/// Do the arguments from `first` on load the members of one structure of this
/// type?
bool loads_members(const CallBase &call, unsigned first, StructType *type) {
  const DataLayout &layout = call.getDataLayout();
  const StructLayout *members = layout.getStructLayout(type);
  auto place = [&](LoadInst *load) {
    APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()),
                 0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, offset, /*AllowNonInbounds=*/true);
    return std::pair(base, offset.getZExtValue());
  };
  const auto [base, begin] = place(load_of(call, first));
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    LoadInst *load = load_of(call, first + i);
    if (!load || load->getType() != type->getElementType(i) ||
        place(load) != std::pair(base, begin + members->getElementOffset(i)))
      return false;
  }
  return type->getNumElements() != 0;
}

/// The type of the structure in a global variable whose members the arguments
/// from `first` on load, or null. The addresses of the loads are constants,
/// which do not name the type.
StructType *type_in_variable(const CallBase &call, unsigned first) {
  const DataLayout &layout = call.getDataLayout();
  Value *address = load_of(call, first)->getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  auto *variable = dyn_cast<GlobalVariable>(
      address->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!variable)
    return nullptr;
  // From the variable's type to smaller and smaller parts at the offset.
  Type *type = variable->getValueType();
  while (true) {
    auto *structure = dyn_cast<StructType>(type);
    if (structure && offset.isZero() && loads_members(call, first, structure))
      return structure;
    if (!type->isAggregateType() || !layout.getGEPIndexForOffset(type, offset))
      return nullptr;
  }
}

/// The structure whose first part is the argument `first`, if there is one.
std::optional<Structure> structure_at(const CallBase &call, unsigned first) {
  LoadInst *load = load_of(call, first);
  if (!load)
    return std::nullopt;
  const DataLayout &layout = call.getDataLayout();
  auto structure = [&](Type *type, unsigned arguments) {
    return Structure{load, layout.getTypeAllocSize(type), arguments};
  };
  if (call.getModule()->getTargetTriple().isAMDGPU()) {
    if (!load->getType()->isAggregateType())
      return std::nullopt;
    return structure(load->getType(), 1);
  }
  StructType *type = nullptr;
  if (auto *member = dyn_cast<GetElementPtrInst>(load->getPointerOperand())) {
    type = dyn_cast<StructType>(member->getSourceElementType());
    if (!type || !member->hasAllZeroIndices() || member->getNumIndices() != 2 ||
        !loads_members(call, first, type))
      return std::nullopt;
  } else if (!(type = type_in_variable(call, first))) {
    return std::nullopt;
  }
  return structure(type, type->getNumElements());
}

bool pad_structures(CallBase &call) {
  const unsigned named = call.getFunctionType()->getNumParams();
  gpuexec::VariadicCall changed(call);
  SmallVector<LoadInst *, 8> loads;
  for (unsigned i = named; i < call.arg_size();) {
    const std::optional<Structure> structure = structure_at(call, i);
    if (!structure) {
      changed.keep(i++);
      continue;
    }
    for (unsigned end = i + structure->arguments; i < end; ++i)
      loads.push_back(cast<LoadInst>(call.getArgOperand(i)));
    if (!structure->bytes)
      continue;
    IRBuilder<> builder(structure->first);
    AllocaInst *copy = changed.pass_memory(builder, structure->bytes);
    builder.CreateMemCpy(copy, copy->getAlign(),
                         structure->first->getPointerOperand(),
                         structure->first->getAlign(), structure->bytes);
  }
  if (loads.empty())
    return false;
  changed.finish();
  for (LoadInst *load : loads)
    load->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses gpuexec::pad_variadic_structures(Module &module,
                                                   ModuleAnalysisManager &) {
  return change_variadic_calls(module, pad_structures);
}
