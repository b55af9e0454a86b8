//===-- toolchain/passes/shared/busy_waits.cpp - while (!flag); -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop is a busy wait if
//   - no instruction in it writes memory that other threads see, except locks
//     that it tries to take (an exchange, or a comparison with a value from
//     outside of the loop),
//   - the condition of each exit is free of values that the loop computes from
//     those of the round before: a counter would end the loop by itself,
//   - and one of these conditions depends on a load that is volatile or atomic,
//     or on any load in a loop with a flush.
// Conditions are followed backwards in a copy of the function whose local
// variables are values (SROA), which has the same blocks.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/busy_waits.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/call_cycles.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// The object on the stack to which the address belongs, or null.
const AllocaInst *local_variable(const Value *address) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(address, /*MaxLookup=*/16));
}

/// Does an atomic update write what it has read: fetch_add(p, 0)?
bool only_reads(const AtomicRMWInst &update) {
  auto *value = dyn_cast<Constant>(update.getValOperand());
  return value && value->isNullValue() &&
         (update.getOperation() == AtomicRMWInst::Add ||
          update.getOperation() == AtomicRMWInst::Sub ||
          update.getOperation() == AtomicRMWInst::Or ||
          update.getOperation() == AtomicRMWInst::Xor);
}

/// The value by which the terminator chooses its successor; null if it has one
/// successor.
Value *condition_of(const BasicBlock &block) {
  const Instruction *terminator = block.getTerminator();
  if (auto *branch = dyn_cast<BranchInst>(terminator))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  if (auto *choice = dyn_cast<SwitchInst>(terminator))
    return choice->getCondition();
  return nullptr;
}

/// Does the program end where the block leaves the loop?
bool only_fails(const BasicBlock &block, const Loop &loop) {
  return all_of(successors(&block), [&](const BasicBlock *next) {
    return loop.contains(next) || isa<UnreachableInst>(next->getTerminator());
  });
}

/// Finds the busy waits of a module.
class BusyWaits {
public:
  explicit BusyWaits(FunctionAnalysisManager &analyses) : analyses(analyses) {}

  SmallVector<BusyWait> find(Function &function);

private:
  enum class Effect { none, reads, flushes, other };
  friend class Round;

  bool may_have_any(Function &function);
  Effect effect_of(const Instruction &instruction);
  Effect effect_of(const Function &callee);

  FunctionAnalysisManager &analyses;
  DenseMap<const Function *, Effect> effects;
};

/// One round of a loop, to tell whether the round after it can differ.
class Round {
public:
  Round(BusyWaits &waits, const Loop &loop) : waits(waits), loop(loop) {}

  bool is_busy_wait();

private:
  using Effect = BusyWaits::Effect;

  bool look_at_instructions();
  bool is_from_outside(const Value *value) const;
  bool is_fixed(const Value *expected) const;
  void follow(Value *condition);
  void follow(const Instruction &instruction);
  void follow_choice(const PHINode &choice);
  void follow_load(const LoadInst &load);
  bool counts(const PHINode &carried) const;

  void add(Value *value) {
    if (auto *instruction = dyn_cast_or_null<Instruction>(value);
        instruction && loop.contains(instruction))
      slice.insert(instruction);
  }

  BusyWaits &waits;
  const Loop &loop;
  SetVector<Instruction *> slice; ///< what the exits' conditions depend on
  SmallPtrSet<const AllocaInst *, 4> written; ///< local variables
  bool flushes = false;                       ///< loads read memory anew
  bool tries = false;   ///< it tries to take a lock of OpenMP
  bool reads = false;   ///< a condition depends on memory
  bool changes = false; ///< a condition depends on a local variable in memory
};

bool Round::is_from_outside(const Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction || !loop.contains(instruction);
}

/// Is the value that a compare-and-exchange expects the same in each round, or
/// one of several from outside of the loop?
bool Round::is_fixed(const Value *expected) const {
  auto *choice = dyn_cast<PHINode>(expected);
  return is_from_outside(expected) ||
         (choice && all_of(choice->incoming_values(), [&](const Value *value) {
            return is_from_outside(value);
          }));
}

/// False if the loop does more than to wait.
bool Round::look_at_instructions() {
  bool works = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        if (const AllocaInst *variable =
                local_variable(store->getPointerOperand())) {
          written.insert(variable);
          continue;
        }
      // It fails until another thread has written the value.
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        if (is_fixed(exchange->getCompareOperand()))
          continue;
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction();
            callee && is_in(RuntimeGroup::try_lock, *callee)) {
          tries = true;
          continue;
        }
      const Effect effect = waits.effect_of(instruction);
      works |= effect == Effect::other;
      flushes |= effect == Effect::flushes;
    }
  return !works || tries;
}

void Round::follow_load(const LoadInst &load) {
  if (const AllocaInst *variable = local_variable(load.getPointerOperand())) {
    changes |= load.isVolatile() || written.contains(variable);
    return;
  }
  reads |= flushes || load.isVolatile() || load.isAtomic();
}

/// A choice depends on its values and on the branches that lead to them.
void Round::follow_choice(const PHINode &choice) {
  for (unsigned i = 0; i < choice.getNumIncomingValues(); ++i) {
    const BasicBlock *from = choice.getIncomingBlock(i);
    if (!loop.contains(from))
      continue;
    add(choice.getIncomingValue(i));
    for (; from && loop.contains(from) && from != loop.getHeader();
         from = from->getSinglePredecessor())
      add(condition_of(*from));
    if (from == loop.getHeader())
      add(condition_of(*from));
  }
}

void Round::follow(const Instruction &instruction) {
  if (auto *choice = dyn_cast<PHINode>(&instruction))
    return follow_choice(*choice);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    follow_load(*load);
  reads |=
      isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction);
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    reads |= waits.effect_of(instruction) == Effect::reads ||
             (callee && is_in(RuntimeGroup::try_lock, *callee));
  }
  for (Value *operand : instruction.operands())
    add(operand);
}

/// Does the value that one round hands to the next one depend, through more
/// than copies and the logic of flags, on that of the round before?
bool Round::counts(const PHINode &carried) const {
  SetVector<std::pair<const Value *, unsigned>> seen; // 1: computed from it
  for (unsigned i = 0; i < carried.getNumIncomingValues(); ++i)
    if (loop.contains(carried.getIncomingBlock(i)))
      seen.insert({carried.getIncomingValue(i), 0u});
  for (size_t i = 0; i < seen.size(); ++i) {
    auto [value, computed] = seen[i];
    if (value == &carried && computed)
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) || value == &carried)
      continue;
    const bool copies =
        isa<PHINode, CastInst, SelectInst, FreezeInst, ICmpInst>(instruction) ||
        instruction->getOpcode() == Instruction::And ||
        instruction->getOpcode() == Instruction::Or;
    for (const Value *operand : instruction->operands())
      seen.insert({operand, computed | !copies});
  }
  return false;
}

bool Round::is_busy_wait() {
  if (!look_at_instructions())
    return false;
  SmallVector<BasicBlock *> exits;
  loop.getExitingBlocks(exits);
  for (BasicBlock *block : exits) {
    if (only_fails(*block, loop))
      continue;
    Value *condition = condition_of(*block);
    if (!condition || is_from_outside(condition))
      return false;
    add(condition);
  }
  for (size_t i = 0; i < slice.size(); ++i)
    follow(*slice[i]);
  if (!reads || changes)
    return false;
  return none_of(slice, [&](const Instruction *instruction) {
    auto *carried = dyn_cast<PHINode>(instruction);
    return carried && carried->getParent() == loop.getHeader() &&
           counts(*carried);
  });
}

/// What an instruction does for the loop that it is in. Effect::reads: it
/// returns what other threads may have written.
BusyWaits::Effect BusyWaits::effect_of(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic() ? Effect::reads
                                                  : Effect::none;
  if (isa<FenceInst>(instruction))
    return Effect::flushes;
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return only_reads(*update) || update->getOperation() == AtomicRMWInst::Xchg
               ? Effect::reads
               : Effect::other;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return instruction.mayHaveSideEffects() ? Effect::other : Effect::none;
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return assembly->getAsmString().empty() ? Effect::flushes : Effect::other;
  const Function *callee = direct_callee(*call);
  return callee ? effect_of(*callee) : Effect::other;
}

/// What a call of the function does.
BusyWaits::Effect BusyWaits::effect_of(const Function &callee) {
  if (is_in(RuntimeGroup::flush, callee))
    return Effect::flushes;
  if (is_in(RuntimeGroup::passes_time, callee))
    return Effect::none;
  if (callee.isDeclaration())
    return callee.isIntrinsic() &&
                   (callee.doesNotAccessMemory() ||
                    callee.onlyAccessesInaccessibleMemory() ||
                    callee.getName().starts_with("llvm.lifetime."))
               ? Effect::none
               : Effect::other;
  // One that calls itself is taken for one that does more than to wait.
  auto [known, fresh] = effects.try_emplace(&callee, Effect::other);
  if (!fresh)
    return known->second;
  Effect all = Effect::none;
  for (const Instruction &instruction : instructions(callee)) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (local_variable(store->getPointerOperand()))
        continue;
    all = std::max(all, effect_of(instruction));
  }
  // It returns what it has read behind its flush.
  if (all == Effect::flushes && !callee.getReturnType()->isVoidTy())
    all = Effect::reads;
  return effects[&callee] = all;
}

/// Is it worth to copy the function?
bool BusyWaits::may_have_any(Function &function) {
  if (function.isDeclaration() || function.size() < 2)
    return false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (const BasicBlock &block : function)
    if (loops.getLoopFor(&block))
      for (const Instruction &instruction : block) {
        if (isa<AtomicCmpXchgInst>(instruction))
          return true;
        auto *call = dyn_cast<CallBase>(&instruction);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && is_in(RuntimeGroup::try_lock, *callee))
          return true;
        const Effect effect = effect_of(instruction);
        if (effect == Effect::reads || effect == Effect::flushes)
          return true;
      }
  return false;
}

SmallVector<BusyWait> BusyWaits::find(Function &function) {
  SmallVector<BusyWait> found;
  if (!may_have_any(function))
    return found;
  ValueToValueMapTy copies;
  Function *copy = CloneFunction(&function, copies);
  keep_variables_local(*copy, analyses);
  SROAPass(SROAOptions::PreserveCFG).run(*copy, analyses);
  {
    DominatorTree dominators(*copy);
    LoopInfo loops(dominators);
    SmallPtrSet<const BasicBlock *, 4> headers;
    for (const Loop *loop : loops.getLoopsInPreorder())
      if (Round(*this, *loop).is_busy_wait())
        headers.insert(loop->getHeader());
    DominatorTree own_dominators(function);
    LoopInfo own_loops(own_dominators);
    for (const Loop *loop : own_loops.getLoopsInPreorder())
      if (headers.contains(cast<BasicBlock>(copies[loop->getHeader()])))
        found.push_back({loop->getHeader(), loop->getStartLoc()});
  }
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return found;
}

} // namespace

SmallVector<BusyWait> find_busy_waits(Module &module,
                                      FunctionAnalysisManager &analyses) {
  SmallVector<Function *> functions; // without the copies that find() makes
  for (Function &function : module)
    functions.push_back(&function);
  BusyWaits waits(analyses);
  SmallVector<BusyWait> found;
  for (Function *function : functions)
    found.append(waits.find(*function));
  return found;
}

} // namespace gpuexec
