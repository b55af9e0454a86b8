//===-- toolchain/passes/openmp/share_reductions.cpp - An array per block -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a reduction of an array each thread has a copy. A histogram of 256 words
// has a kibibyte for each thread of a grid, whose accesses miss every cache,
// though a block of threads has memory of its own, with atomic operations. This
// pass makes a second version of a function with such a reduction: in it, the
// threads of a block have one copy, in the block's memory, and add to it by
// atomic operations. The runtime adds the blocks' copies
// (libc-shim/openmp/reduce_shared.c). The function calls the second version
// when its thread belongs to the team of the grid.
//
// The array must be of words of 32 or 64 bits, and the loop may do nothing with
// it but the reduction's own operation (+, - | ^), whose results nothing else
// uses. Which element it is must differ between lanes: where all lanes of a
// wave add to the same element they would take turns, and their own copies are
// in registers.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/array_reduction.h"
#include "toolchain/passes/shared/chunks.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <optional>

using namespace llvm;
using gpuexec::ArrayReduction;
using gpuexec::Runtime;
using gpuexec::RuntimeGroup;
using gpuexec::RuntimeName;

namespace {

//===-- What the program does with the array ------------------------------===//

/// An element is read, changed and written.
struct Update {
  LoadInst *load;
  BinaryOperator *operation;
  StoreInst *store;
};

std::optional<Update> read_update(LoadInst &load,
                                  const ArrayReduction &reduction) {
  auto *operation = load.hasOneUse()
                        ? dyn_cast<BinaryOperator>(*load.user_begin())
                        : nullptr;
  auto *store = operation && operation->hasOneUse()
                    ? dyn_cast<StoreInst>(*operation->user_begin())
                    : nullptr;
  if (!store || store->getValueOperand() != operation ||
      store->getPointerOperand() != load.getPointerOperand() ||
      load.getType() != reduction.element || !load.isSimple() ||
      !store->isSimple() || store->getParent() != load.getParent())
    return std::nullopt;
  const bool subtracts = operation->getOpcode() == Instruction::Sub &&
                         reduction.operation == Instruction::Add &&
                         operation->getOperand(0) == &load;
  if (operation->getOpcode() != reduction.operation && !subtracts)
    return std::nullopt;
  return Update{&load, operation, store};
}

using Updates = SmallVector<Update>;

/// Everything that the program does with the array, when that is to update
/// elements and nothing else. `begin`: the block has its copy from there on.
std::optional<Updates> read_updates(const ArrayReduction &reduction,
                                    const Instruction &begin,
                                    const DominatorTree &order) {
  Updates updates;
  SmallPtrSet<const User *, 8> stores;
  SmallVector<Value *> addresses = {reduction.array};
  while (!addresses.empty()) {
    Value *address = addresses.pop_back_val();
    for (User *user : address->users()) {
      if (isa<AddrSpaceCastInst, GetElementPtrInst>(user)) {
        addresses.push_back(user);
      } else if (auto *load = dyn_cast<LoadInst>(user)) {
        const std::optional<Update> update = read_update(*load, reduction);
        if (!update || !order.dominates(&begin, load))
          return std::nullopt;
        updates.push_back(*update);
      } else if (auto *store = dyn_cast<StoreInst>(user);
                 store && store->getPointerOperand() == address) {
        stores.insert(store);
      } else if (store) { // into the list for the call
        if (!isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
          return std::nullopt;
      } else if (!isa<LifetimeIntrinsic, ICmpInst>(user) &&
                 !is_contained(reduction.copied, user)) {
        return std::nullopt;
      }
    }
  }
  for (const Update &update : updates)
    stores.erase(update.store);
  return stores.empty() ? std::optional(std::move(updates)) : std::nullopt;
}

/// Do lanes of a wave update different elements? One update must, others may be
/// to the same.
bool differ(const Updates &updates, const UniformityInfo &uniformity) {
  return any_of(updates, [&](const Update &update) {
    return uniformity.isDivergent(update.load->getPointerOperand());
  });
}

//===-- The second version ------------------------------------------------===//

/// Puts a call in front of clang's loop that makes the array zero, which is
/// left out: the block makes its copy zero.
CallInst *begin_sharing(ArrayReduction &reduction) {
  PHINode *pointer = reduction.clearing;
  BasicBlock *loop = pointer->getParent();
  BasicBlock *before =
      pointer->getIncomingBlock(pointer->getIncomingBlock(0) == loop);
  auto *branch = dyn_cast<BranchInst>(before->getTerminator());
  if (!branch || !branch->isConditional())
    return nullptr;
  BasicBlock *behind = branch->getSuccessor(branch->getSuccessor(0) == loop);
  if (behind == loop)
    return nullptr;
  IRBuilder<> builder(branch);
  CallInst *begin = gpuexec::call_runtime(
      builder, Runtime::omp_begin_shared,
      builder.getInt32(static_cast<uint32_t>(reduction.bytes)));
  builder.CreateBr(behind);
  branch->eraseFromParent();
  loop->removePredecessor(before);
  return begin;
}

AtomicRMWInst::BinOp atomic(Instruction::BinaryOps operation) {
  switch (operation) {
  case Instruction::Sub:
    return AtomicRMWInst::Sub;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    return AtomicRMWInst::Add;
  }
}

/// Lets an update change the block's copy instead of the thread's.
AtomicRMWInst *share(const Update &update, const ArrayReduction &reduction,
                     CallInst &copy) {
  SmallVector<GetElementPtrInst *> steps; // from the element to the array
  for (Value *at = update.load->getPointerOperand(); at != reduction.array;
       at = cast<Instruction>(at)->getOperand(0))
    if (auto *step = dyn_cast<GetElementPtrInst>(at))
      steps.push_back(step);
  IRBuilder<> builder(update.store);
  Value *address = &copy;
  for (GetElementPtrInst *step : reverse(steps))
    address = builder.CreateGEP(step->getSourceElementType(), address,
                                SmallVector<Value *>(step->indices()));
  Value *operand = update.operation->getOperand(
      update.operation->getOperand(0) == update.load);
  AtomicRMWInst *shared = builder.CreateAtomicRMW(
      atomic(update.operation->getOpcode()), address, operand, MaybeAlign(),
      AtomicOrdering::Monotonic,
      builder.getContext().getOrInsertSyncScopeID("workgroup"));
  update.store->eraseFromParent();
  update.operation->eraseFromParent();
  update.load->eraseFromParent();
  return shared;
}

/// Says of all accesses to memory but those by `readers` that they do not use
/// blocks' copies, whose scope of aliases it returns.
MDNode *tell_apart(Function &function, ArrayRef<WeakTrackingVH> readers) {
  LLVMContext &context = function.getContext();
  MDBuilder builder(context);
  MDNode *copies = MDNode::get(
      context, builder.createAnonymousAliasScope(
                   builder.createAnonymousAliasScopeDomain("reductions"),
                   "copies of blocks"));
  for (Instruction &instruction : instructions(function))
    if (const Value *pointer = getLoadStorePointerOperand(&instruction);
        pointer && !is_contained(readers, pointer))
      instruction.setMetadata(
          LLVMContext::MD_noalias,
          MDNode::concatenate(
              instruction.getMetadata(LLVMContext::MD_noalias), copies));
  return copies;
}

// libc-shim/openmp/reduce_shared.c has these numbers.
static_assert(AtomicRMWInst::Add == gpuexec::OMP_ADD &&
              AtomicRMWInst::Or == gpuexec::OMP_OR &&
              AtomicRMWInst::Xor == gpuexec::OMP_XOR);

/// Has the blocks' copies combined, not the threads'. The thread with the
/// result reads it in its block's copy.
void combine_blocks(const ArrayReduction &reduction, CallInst &copy) {
  IRBuilder<> builder(reduction.call);
  const auto word = [&](uint64_t value) {
    return builder.getInt32(static_cast<uint32_t>(value));
  };
  Value *is_first = gpuexec::call_runtime(
      builder, Runtime::omp_reduce_shared,
      {word(reduction.bytes), word(reduction.element->getIntegerBitWidth() / 8),
       word(atomic(reduction.operation))});
  Value *result = builder.CreateAddrSpaceCast(&copy, builder.getPtrTy());
  for (const WeakTrackingVH &loop : reduction.copied)
    if (auto *pointer = dyn_cast_or_null<PHINode>(loop))
      for (Use &incoming : pointer->incoming_values())
        if (getUnderlyingObject(incoming) == reduction.array)
          incoming.set(result);
  reduction.call->replaceAllUsesWith(is_first);
  reduction.call->eraseFromParent();
}

/// A reduction in the second version, and the call that gives the block's copy.
struct Shared {
  ArrayReduction reduction;
  CallInst *copy;
  size_t number; ///< among the function's reductions
};

/// Simplifies the second version and shares what can be. Returns a reduction
/// that cannot be; the function is of no use then.
std::optional<size_t> complete(Function &function, ArrayRef<Shared> all,
                               FunctionAnalysisManager &analyses) {
  removeUnreachableBlocks(function);
  // Variables become values, and the same address one value.
  SROAPass(SROAOptions::PreserveCFG).run(function, analyses);
  EarlyCSEPass().run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
  const DominatorTree &order =
      analyses.getResult<DominatorTreeAnalysis>(function);
  const UniformityInfo &uniformity =
      analyses.getResult<UniformityInfoAnalysis>(function);
  SmallVector<Updates> updates;
  for (const Shared &each : all) {
    std::optional<Updates> found =
        read_updates(each.reduction, *each.copy, order);
    if (!found || !differ(*found, uniformity))
      return each.number;
    updates.push_back(std::move(*found));
  }
  SmallVector<WeakTrackingVH> readers;
  for (const Shared &each : all)
    append_range(readers, each.reduction.copied);
  MDNode *copies = tell_apart(function, readers);
  for (const auto &[each, changes] : zip(all, updates)) {
    for (const Update &update : changes)
      share(update, each.reduction, *each.copy)
          ->setMetadata(LLVMContext::MD_alias_scope, copies);
    combine_blocks(each.reduction, *each.copy);
  }
  return std::nullopt;
}

/// Calls of the functions with these names.
SmallVector<CallInst *> calls_in(Function &function,
                                 ArrayRef<StringRef> names) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && is_contained(names, callee->getName()))
        calls.push_back(call);
  return calls;
}

SmallVector<CallInst *> reductions_in(Function &function) {
  return calls_in(function, gpuexec::name_of(RuntimeName::omp_clang_reduce));
}

/// The second version of a function; null if there is nothing to share.
Function *make_version(Function &function, FunctionAnalysisManager &analyses) {
  SmallSet<size_t, 4> others; // reductions that are as in the first version
  while (true) {
    ValueToValueMapTy values;
    Function *version = CloneFunction(&function, values);
    version->setName(function.getName() + "_shared");
    version->setLinkage(GlobalValue::InternalLinkage);
    version->setComdat(nullptr);
    // The pattern that it looks for is memory, which complete() simplifies.
    for (CallInst *call :
         calls_in(*version, names_of(RuntimeGroup::static_init)))
      gpuexec::join_chunks(*call);
    SmallVector<Shared> all;
    for (const auto &[number, call] : enumerate(reductions_in(*version)))
      if (!others.contains(number))
        if (std::optional<ArrayReduction> reduction =
                gpuexec::read_reduction(*call))
          if (CallInst *copy = begin_sharing(*reduction))
            all.push_back({std::move(*reduction), copy, number});
    std::optional<size_t> other;
    if (!all.empty() && !(other = complete(*version, all, analyses))) {
      analyses.invalidate(*version, PreservedAnalyses::none());
      return version;
    }
    analyses.clear(*version, version->getName());
    version->eraseFromParent();
    if (!other)
      return nullptr;
    others.insert(*other);
  }
}

/// Calls the second version where it serves.
void choose(Function &function, Function &version) {
  BasicBlock &entry = function.getEntryBlock();
  BasicBlock *first = entry.splitBasicBlock(
      entry.getFirstNonPHIOrDbgOrAlloca(), "every.team");
  entry.getTerminator()->eraseFromParent();
  BasicBlock *second = BasicBlock::Create(function.getContext(), "grid.team",
                                          &function, first);
  IRBuilder<> builder(&entry);
  Value *serves = gpuexec::call_runtime(builder, Runtime::omp_is_in_grid_team);
  builder.CreateCondBr(builder.CreateIsNotNull(serves), second, first);
  builder.SetInsertPoint(second);
  SmallVector<Value *> arguments(make_pointer_range(function.args()));
  CallInst *result = builder.CreateCall(&version, arguments);
  result->setCallingConv(function.getCallingConv());
  result->setAttributes(version.getAttributes());
  if (DISubprogram *lines = function.getSubprogram())
    result->setDebugLoc(
        DILocation::get(function.getContext(), lines->getLine(), 0, lines));
  if (result->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
}

/// Threads that leave a loop early do not come to its reduction.
bool may_cancel(Function &function) {
  return !calls_in(function, names_of(RuntimeGroup::cancel)).empty();
}

} // namespace

PreservedAnalyses gpuexec::share_reductions(Module &module,
                                            ModuleAnalysisManager &analyses) {
  Function *reduce = find_runtime(module, RuntimeName::omp_clang_reduce);
  if (!reduce)
    return PreservedAnalyses::all();
  SmallSetVector<Function *, 8> functions;
  for (User *user : reduce->users())
    if (auto *call = dyn_cast<CallInst>(user))
      functions.insert(call->getFunction());
  FunctionAnalysisManager &of_functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  for (Function *function : functions)
    if (!function->hasOptNone() && !function->isVarArg() &&
        !may_cancel(*function))
      if (Function *version = make_version(*function, of_functions))
        choose(*function, *version);
  return PreservedAnalyses::none();
}
