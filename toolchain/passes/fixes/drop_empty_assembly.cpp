//===-- toolchain/passes/fixes/drop_empty_assembly.cpp - asm("") ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs use assembly without an instruction to hide a value from the
// optimiser or to order accesses to memory: asm volatile("" : "+r"(x) ::
// "memory"). The constraints are the host's, and for many of them LLVM's
// backends end in 'couldn't allocate output register', 'illegal VGPR to SGPR
// copy' or a crash.
//
// When this pass runs, the optimiser is done and the assembly has served. What
// it returns is what goes in: an output that is tied to an input is that input,
// any other has no value. Outputs in memory stay as they are. A compiler
// barrier remains where it clobbers memory.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// The text has no instruction: blanks, separators and comments as the
/// assemblers of x86-64 and C know them.
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

/// What the constraint says first, as "r" or "0".
StringRef code_of(const InlineAsm::ConstraintInfo &constraint) {
  auto &codes = constraint.isMultipleAlternative
                    ? constraint.multipleAlternatives.front().Codes
                    : constraint.Codes;
  return codes.empty() ? StringRef() : StringRef(codes.front());
}

/// The operands are in the GPU's own kinds of registers: whoever wrote it knows
/// the GPU, and may mean the backend's passes. NVIDIA's "r" is not among them:
/// the host's is meant, and a pointer does not fit the 32 bits of the GPU's.
/// Nor is AMD's "a": the host has one too, and AMD's cannot hold 8 bits.
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

/// A value of the type that holds the same bits, as far as there are any.
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

/// Copies the argument, which is in memory, to where an output is.
void copy(IRBuilder<> &builder, CallBase &call, unsigned argument, Value *to) {
  Type *type = call.getParamElementType(argument);
  builder.CreateMemCpy(to, Align(1), call.getArgOperand(argument), Align(1),
                       call.getDataLayout().getTypeStoreSize(type));
}

/// What each output in a register is after the assembly.
SmallVector<Value *, 4> outputs(IRBuilder<> &builder, CallBase &call) {
  auto constraints =
      cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  auto *record = dyn_cast<StructType>(call.getType());
  SmallVector<Value *, 4> values;
  SmallVector<int, 8> number;     // of each constraint among the outputs, or -1
  SmallVector<Value *, 8> memory; // of each constraint, where it is indirect
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
    // An input that must be where an output is: its constraint is a number.
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

/// asm goto without an instruction never jumps.
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
