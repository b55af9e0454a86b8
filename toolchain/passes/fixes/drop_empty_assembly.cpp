//===-- toolchain/passes/fixes/drop_empty_assembly.cpp - asm("") ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs use assembly without an instruction to hide a value from the
// optimiser or to order accesses to memory: asm volatile("" : "+r"(x) ::
// "memory"). The constraints are the host's, and for many of them LLVM's
// backends end in 'couldn't allocate output register', 'illegal VGPR to SGPR
// copy' or a crash.
//
// When this pass runs, the optimiser has finished, and the assembly is not
// needed any more. The pass replaces each output that is tied to an input by
// that input, and any other by an undefined value. Outputs in memory keep their
// values. Assembly that clobbers memory becomes a compiler barrier.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// Does the text have no instruction, only blanks, separators, and comments of
/// the x86-64 assembler or of C?
bool is_empty(StringRef text) {
  while (true) {
    text = text.ltrim(" \t\n;");
    if (text.consume_front("/*"))
      text = text.split("*/").second;
    else if (text.starts_with("#") || text.starts_with("//"))
      text = text.split('\n').second;
    else
      return text.empty();
  }
}

bool is_empty(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  return assembly && is_empty(assembly->getAsmString());
}

/// The first code of a constraint: "r" or "0", for example.
StringRef code_of(const InlineAsm::ConstraintInfo &constraint) {
  auto &codes = constraint.isMultipleAlternative
                    ? constraint.multipleAlternatives.front().Codes
                    : constraint.Codes;
  return codes.empty() ? StringRef() : StringRef(codes.front());
}

/// Are all operands in the GPU's own kinds of registers? Then the author knows
/// the GPU, and the assembly may be for the backend's passes. NVIDIA's "r" does
/// not count: programs mean the host's, and a pointer does not fit the 32 bits
/// of the GPU's. AMD's "a" does not count either: the host has one too, and
/// AMD's cannot hold 8 bits.
bool is_for_gpu(const CallBase &call) {
  static constexpr StringRef AMD[] = {"v", "s"},
                             NVIDIA[] = {"h", "l", "f", "d"};
  const ArrayRef<StringRef> registers =
      call.getModule()->getTargetTriple().isAMDGPU() ? ArrayRef(AMD)
                                                     : ArrayRef(NVIDIA);
  auto constraints =
      cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  return all_of(constraints, [&](auto &constraint) {
    StringRef code = code_of(constraint);
    return constraint.Type == InlineAsm::isClobber ||
           (!constraint.isMultipleAlternative && constraint.Codes.size() == 1 &&
            (is_contained(registers, code) || isDigit(code[0])));
  });
}

/// `value` as a value of the type with the same bits, cut off or extended by
/// zeros; null if that is not possible.
Value *reinterpreted(IRBuilder<> &builder, Value *value, Type *type) {
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  if (value->getType() == type)
    return value;
  if (CastInst::isBitOrNoopPointerCastable(value->getType(), type, layout))
    return builder.CreateBitOrPointerCast(value, type);
  auto bits = [&](Type *of) {
    return builder.getIntNTy(unsigned(layout.getTypeSizeInBits(of)));
  };
  if (!value->getType()->isFirstClassType() ||
      value->getType()->isAggregateType() || type->isAggregateType())
    return nullptr;
  Value *raw = builder.CreateBitOrPointerCast(value, bits(value->getType()));
  return builder.CreateBitOrPointerCast(
      builder.CreateZExtOrTrunc(raw, bits(type)), type);
}

/// Copies an argument, which is in memory, to the memory of an output.
void copy(IRBuilder<> &builder, CallBase &call, unsigned argument, Value *to) {
  Type *type = call.getParamElementType(argument);
  builder.CreateMemCpy(to, Align(1), call.getArgOperand(argument), Align(1),
                       call.getDataLayout().getTypeStoreSize(type));
}

/// The values of the outputs in registers after the assembly.
SmallVector<Value *, 4> outputs(IRBuilder<> &builder, CallBase &call) {
  auto constraints =
      cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  auto *record = dyn_cast<StructType>(call.getType());
  SmallVector<Value *, 4> values;
  // For each constraint: its number among the outputs in registers, or -1.
  SmallVector<int, 8> number;
  // For each constraint: the address of its memory, or null.
  SmallVector<Value *, 8> memory;
  for (auto &constraint : constraints) {
    bool counts =
        constraint.Type == InlineAsm::isOutput && !constraint.isIndirect;
    number.push_back(counts ? int(values.size()) : -1);
    if (counts)
      values.push_back(builder.CreateFreeze(PoisonValue::get(
          record ? record->getElementType(unsigned(values.size()))
                 : call.getType())));
  }
  unsigned argument = 0;
  for (auto &constraint : constraints) {
    bool takes = constraint.Type == InlineAsm::isInput || constraint.isIndirect;
    Value *given = takes ? call.getArgOperand(argument++) : nullptr;
    memory.push_back(constraint.isIndirect ? given : nullptr);
    if (!takes)
      continue;
    // The code of a tied input is the number of an output.
    unsigned tied = 0;
    if (constraint.Type != InlineAsm::isInput ||
        code_of(constraint).getAsInteger(10, tied) || tied >= memory.size())
      continue;
    if (constraint.isIndirect) {
      if (memory[tied] && memory[tied] != given)
        copy(builder, call, argument - 1, memory[tied]);
      continue;
    }
    if (memory[tied]) // "=rm", for which clang chooses memory
      builder.CreateStore(given, memory[tied]);
    if (number[tied] < 0)
      continue;
    Value *&value = values[unsigned(number[tied])];
    if (Value *same = reinterpreted(builder, given, value->getType()))
      value = same;
  }
  return values;
}

/// Replaces asm goto, which without an instruction never jumps, by a branch.
void fall_through(CallBrInst &jump) {
  for (BasicBlock *target : jump.getIndirectDests())
    target->removePredecessor(jump.getParent());
  BranchInst::Create(jump.getDefaultDest(), jump.getIterator());
  jump.eraseFromParent();
}

void drop(CallBase &call) {
  IRBuilder<> builder(&call);
  SmallVector<Value *, 4> values = outputs(builder, call);
  if (call.mayReadOrWriteMemory())
    builder.CreateFence(AtomicOrdering::AcquireRelease,
                        SyncScope::SingleThread);
  if (!call.use_empty()) {
    Value *result = values.front();
    if (call.getType()->isStructTy()) {
      result = PoisonValue::get(call.getType());
      for (unsigned i = 0; i < values.size(); ++i)
        result = builder.CreateInsertValue(result, values[i], i);
    }
    call.replaceAllUsesWith(result);
  }
  if (auto *jump = dyn_cast<CallBrInst>(&call))
    fall_through(*jump);
  else
    call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::drop_empty_assembly(Module &module,
                                               ModuleAnalysisManager &) {
  SmallVector<CallBase *> found;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && is_empty(*call) && !is_for_gpu(*call))
        found.push_back(call);
  for (CallBase *call : found)
    drop(*call);
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
