//===-- toolchain/passes/openmp/share_reductions.cpp - An array per block -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a reduction of an array each thread has a copy of the array. For a
// histogram of 256 words that is a kibibyte for each thread of a grid: too much
// for the caches. But each block has fast memory of its own, with atomic
// operations. So this pass makes a second version of a function with such a
// reduction, in which the threads of a block have one copy in the block's
// memory and add to it by atomic operations. The runtime adds the blocks'
// copies (libc-shim/openmp/reduce_shared.c). The function calls the second
// version when the calling thread belongs to the team of the whole grid.
//
// The array must consist of words of 32 or 64 bits, and the loop may do nothing
// with it but the reduction's own operation (+, -, |, ^), whose results nothing
// else uses. The updated element must differ between lanes: if all lanes of a
// wave add to the same element, they would take turns, and copies of each
// thread are in registers and faster.
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

/// The instructions that read, change and write an element.
struct Update {
  LoadInst *load;
  BinaryOperator *operation;
  StoreInst *store;
};

/// The update that begins with the load; nothing if it is no update by the
/// reduction's operation.
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

/// All updates of the array, if the program does nothing else with it. `begin`:
/// the call from which on the block has its copy.
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

/// Does at least one of the updates change different elements in different
/// lanes of a wave?
bool differ(const Updates &updates, const UniformityInfo &uniformity) {
  return any_of(updates, [&](const Update &update) {
    return uniformity.isDivergent(update.load->getPointerOperand());
  });
}

//===-- The second version ------------------------------------------------===//

/// Replaces clang's loop that makes the array zero by a call that makes the
/// block's copy and sets it to zero. Returns the call, or null if the code is
/// not as expected.
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

/// Replaces an update of the thread's copy by an atomic update of the block's.
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

/// Marks all memory accesses except those of `readers` as not aliasing the
/// blocks' copies. Returns the alias scope of the copies.
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

/// Replaces the reduction's call by one that combines the blocks' copies. The
/// thread that gets the result reads it from its block's copy.
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

/// A reduction in the second version, and the call that returns the address of
/// the block's copy.
struct Shared {
  ArrayReduction reduction;
  CallInst *copy;
  size_t number; ///< among the function's reductions
};

/// Simplifies the second version and makes its reductions use the blocks'
/// copies. If one cannot, returns its number, and the version must be
/// discarded.
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

/// The calls in `function` of functions with these names.
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

/// Makes the second version of a function; null if no reduction can be shared.
Function *make_version(Function &function, FunctionAnalysisManager &analyses) {
  SmallSet<size_t, 4> others; // numbers of reductions that cannot be shared
  while (true) {
    ValueToValueMapTy values;
    Function *version = CloneFunction(&function, values);
    version->setName(function.getName() + "_shared");
    version->setLinkage(GlobalValue::InternalLinkage);
    version->setComdat(nullptr);
    // Before complete(), which removes the variables in memory that
    // join_chunks() looks for.
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

/// Makes the function call its second version if the calling thread belongs to
/// the team of the whole grid.
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

/// Does the function have a cancel construct? Threads that leave a loop early
/// do not reach its reduction.
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
