//===-- toolchain/passes/drop_empty_assembly.cpp - asm("") ----------------===//
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

bool is_empty(const CallInst &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  return assembly &&
         StringRef(assembly->getAsmString()).find_first_not_of(" \t\n;") ==
             StringRef::npos;
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
bool is_for_gpu(const CallInst &call) {
  static constexpr StringRef AMD[] = {"v", "s", "a"},
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

/// What each output in a register is after the assembly.
SmallVector<Value *, 4> outputs(IRBuilder<> &builder, CallInst &call) {
  auto constraints =
      cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  auto *record = dyn_cast<StructType>(call.getType());
  SmallVector<Value *, 4> values;
  SmallVector<int, 8> number; // of each constraint among the outputs, or -1
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
    if (!takes)
      continue;
    Value *given = call.getArgOperand(argument++);
    // An input that must be where an output is: its constraint is a number.
    unsigned tied = 0;
    if (constraint.Type != InlineAsm::isInput ||
        code_of(constraint).getAsInteger(10, tied) || tied >= number.size() ||
        number[tied] < 0)
      continue;
    Value *&value = values[unsigned(number[tied])];
    if (Value *same = reinterpreted(builder, given, value->getType()))
      value = same;
  }
  return values;
}

void drop(CallInst &call) {
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
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::drop_empty_assembly(Module &module,
                                               ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && is_empty(*call) && !is_for_gpu(*call)) {
        drop(*call);
        changed = true;
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
