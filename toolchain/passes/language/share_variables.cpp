//===-- toolchain/passes/language/share_variables.cpp - For all threads ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of a GPU cannot access the stack of another one: the same address
// there is other memory for each thread. So in a program that creates threads
// or uses OpenMP, this pass moves local variables whose addresses may reach
// another thread to memory that all threads see, in which each thread has a
// second stack (shared_stack.h). They are freed when the function returns.
//
// It runs after optimisation, when it is known what functions do with an
// address, and most variables are in registers.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/captures.h"
#include "toolchain/passes/shared/generic_pointers.h"
#include "toolchain/passes/shared/moved_variables.h"
#include "toolchain/passes/shared/shared_stack.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::SHARED_ALIGNMENT;
using gpuexec::SharedStack;

namespace {

constexpr unsigned GLOBAL = 1; // address space of both targets

/// Moves all variables of constant size to the beginning of the entry block.
/// Returns the first instruction after them.
Instruction &put_variables_first(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca())
      variables.push_back(variable);
  for (AllocaInst *variable : reverse(variables))
    variable->moveBefore(entry, entry.begin());
  return *entry.getFirstNonPHIOrDbgOrAlloca();
}

/// Moves the variables of one function.
class SharedFrame {
public:
  /// `behind`: in a kernel, the last instruction that initialises the stack;
  /// else null.
  SharedFrame(Function &function, const SharedStack &stack, Instruction *behind)
      : function(function), stack(stack), behind(behind) {}

  /// Moves the variables that are captured. False when there are none.
  bool move();

private:
  void find();
  Value *bytes_of(const AllocaInst &variable, IRBuilder<> &builder);
  void restore();

  Function &function;
  const SharedStack &stack;
  Instruction *behind;
  /// The variables to move, of constant size and others.
  SmallVector<AllocaInst *> fixed, dynamic;
  SharedStack::Mark top; ///< the stack when the function began
};

/// Appends the private addresses that must become generic when the variable
/// moves: LLVM casts a generic address of a variable back to a private one,
/// too.
void append_private(AllocaInst &variable, SmallVector<const Value *> &roots) {
  if (variable.getAddressSpace())
    roots.push_back(&variable);
  append_range(roots, gpuexec::private_casts({&variable}));
}

bool is_captured(const AllocaInst &variable) {
  return !gpuexec::is_record(variable) && gpuexec::may_reach_other_threads(variable);
}

/// Copies each struct that the function gets by value and whose address may
/// reach another thread to a local variable, which can be moved.
void copy_structs(Function &function) {
  for (Argument &argument : function.args()) {
    Type *type = argument.getParamByValType();
    if (!type || !gpuexec::may_reach_other_threads(argument))
      continue;
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *copy = builder.CreateAlloca(
        type, argument.getType()->getPointerAddressSpace());
    const Align alignment =
        std::max(argument.getParamAlign().valueOrOne(), copy->getAlign());
    copy->setAlignment(alignment);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(
        copy, alignment, &argument, argument.getParamAlign(),
        function.getDataLayout().getTypeAllocSize(type).getFixedValue());
  }
}

void SharedFrame::find() {
  SmallPtrSet<const AllocaInst *, 8> moved;
  SmallVector<const Value *> roots;
  SmallVector<AllocaInst *> others;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      if (gpuexec::is_record(*variable))
        continue;
      if (!is_captured(*variable)) {
        others.push_back(variable);
        continue;
      }
      (variable->isStaticAlloca() ? fixed : dynamic).push_back(variable);
      append_private(*variable, roots);
    }
  const auto no_group = [](const CallBase &) { return false; };
  if (roots.empty() || gpuexec::can_become_generic(roots, no_group))
    return;
  // The addresses are used together with those of other variables (in a phi,
  // for example): the others move, too.
  for (AllocaInst *variable : others) {
    (variable->isStaticAlloca() ? fixed : dynamic).push_back(variable);
    append_private(*variable, roots);
  }
  if (!gpuexec::can_become_generic(roots, no_group))
    function.getContext().emitError(
        "in function '" + function.getName() +
        "' local variables cannot be shared with other threads");
}

/// i64: the variable's size, with room to align it.
Value *SharedFrame::bytes_of(const AllocaInst &variable, IRBuilder<> &builder) {
  const uint64_t each =
      function.getDataLayout().getTypeAllocSize(variable.getAllocatedType());
  const uint64_t extra =
      std::max(SHARED_ALIGNMENT, variable.getAlign()).value() - 1;
  Value *count = builder.CreateZExtOrTrunc(
      const_cast<Value *>(variable.getArraySize()), builder.getInt64Ty());
  Value *bytes = builder.CreateMul(count, builder.getInt64(each));
  return builder.CreateAnd(
      builder.CreateAdd(bytes,
                        builder.getInt64(extra + SHARED_ALIGNMENT.value() - 1)),
      builder.getInt64(-SHARED_ALIGNMENT.value()));
}

/// Replaces the variable by memory at `address`, i64, which is aligned first.
void replace(AllocaInst &variable, Value *address, IRBuilder<> &builder) {
  if (variable.getAlign() > SHARED_ALIGNMENT)
    address = builder.CreateAnd(
        builder.CreateAdd(address,
                          builder.getInt64(variable.getAlign().value() - 1)),
        builder.getInt64(-variable.getAlign().value()));
  Value *pointer = builder.CreateAddrSpaceCast(
      builder.CreateIntToPtr(address, builder.getPtrTy(GLOBAL)),
      builder.getPtrTy());
  pointer->takeName(&variable);
  if (variable.getType() == pointer->getType())
    gpuexec::replace_variable(variable, pointer);
  else
    report_fatal_error("a variable that is still private");
}

/// Adds code that frees the variables where the function returns, and those of
/// a scope where the function restores its stack (llvm.stackrestore).
void SharedFrame::restore() {
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator())) {
      Instruction *last = block.getTerminatingMustTailCall();
      IRBuilder<> builder(last ? last : block.getTerminator());
      stack.go_back(builder, top);
    }
  if (dynamic.empty())
    return;
  SmallVector<IntrinsicInst *> saves;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::stacksave)
      saves.push_back(call);
  for (IntrinsicInst *save : saves) {
    IRBuilder<> builder(save);
    const SharedStack::Mark then = stack.mark(builder);
    for (User *user : save->users())
      if (auto *call = dyn_cast<IntrinsicInst>(user);
          call && call->getIntrinsicID() == Intrinsic::stackrestore) {
        builder.SetInsertPoint(call);
        stack.go_back(builder, then);
      }
  }
}

/// LLVM's backend requires a va_list, which is a pointer, to be on the stack:
/// where one moves, gives va_start a list on the stack and copies the pointer.
void keep_lists_private(Function &function,
                        function_ref<bool(const Value &)> moves) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (gpuexec::is_of_va_list(instruction) &&
        any_of(cast<CallInst>(instruction).args(),
               [&](const Use &list) { return moves(*list); }))
      calls.push_back(cast<CallInst>(&instruction));
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Type *pointer = builder.getPtrTy();
    Value *list = call->getArgOperand(0);
    if (isa<VAStartInst>(call)) {
      BasicBlock &entry = function.getEntryBlock();
      AllocaInst *place =
          new AllocaInst(pointer, list->getType()->getPointerAddressSpace(), "",
                         entry.begin());
      call->setArgOperand(0, place);
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(builder.CreateLoad(pointer, place), list);
      continue;
    }
    if (isa<VACopyInst>(call))
      builder.CreateStore(builder.CreateLoad(pointer, call->getArgOperand(1)),
                          list);
    call->eraseFromParent();
  }
}

bool SharedFrame::move() {
  find();
  if (fixed.empty() && dynamic.empty())
    return false;
  SmallVector<AllocaInst *> all(fixed);
  all.append(dynamic);
  SmallPtrSet<const Value *, 8> moved(all.begin(), all.end());
  const auto moves = [&](const Value &address) {
    return moved.contains(getUnderlyingObject(&address));
  };
  keep_lists_private(function, moves);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && !isa<IntrinsicInst>(call))
      gpuexec::pass_private_copies(*call, function.getEntryBlock(), moves);
  SmallVector<Value *> addresses;
  for (AllocaInst *variable : all)
    if (variable->getAddressSpace())
      addresses.push_back(variable);
  gpuexec::make_generic(addresses);
  gpuexec::drop_casts(
      gpuexec::private_casts(SmallVector<Value *>(all.begin(), all.end())));
  for (AllocaInst *variable : all)
    for (User *user : make_early_inc_range(variable->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();

  Instruction &first = put_variables_first(function);
  Instruction &begin = behind ? *behind->getNextNode() : first;
  IRBuilder<> builder(&begin);
  top = stack.mark(builder);
  uint64_t size = 0;
  SmallVector<uint64_t> offsets;
  for (AllocaInst *variable : fixed) {
    offsets.push_back(size);
    size += cast<ConstantInt>(bytes_of(*variable, builder))->getZExtValue();
  }
  Value *frame = size ? stack.push(begin, builder.getInt64(size)) : nullptr;
  builder.SetInsertPoint(&begin);
  if (frame)
    top = stack.keep_first_chunk(builder, top, frame);
  for (auto [variable, offset] : zip_equal(fixed, offsets))
    replace(*variable, builder.CreateAdd(frame, builder.getInt64(offset)),
            builder);
  for (AllocaInst *variable : dynamic) {
    builder.SetInsertPoint(variable);
    Value *bytes = bytes_of(*variable, builder);
    Value *address = stack.push(*variable, bytes);
    builder.SetInsertPoint(variable);
    replace(*variable, address, builder);
  }
  restore();
  return true;
}

bool has_captured(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    return variable && is_captured(*variable);
  });
}

} // namespace

PreservedAnalyses gpuexec::share_variables(Module &module,
                                           ModuleAnalysisManager &) {
  const std::optional<SharedStack> stack = SharedStack::of(module);
  if (!stack)
    return PreservedAnalyses::all();
  SmallVector<Function *> changed;
  for (Function &function : module)
    if (!function.isDeclaration()) {
      copy_structs(function);
      if (has_captured(function))
        changed.push_back(&function);
    }
  if (changed.empty() && !stack->is_asked_for())
    return PreservedAnalyses::all();
  const DenseMap<Function *, Instruction *> kernels = stack->begin_kernels();
  for (Function *function : changed)
    SharedFrame(*function, *stack, kernels.lookup(function)).move();
  return PreservedAnalyses::none();
}
