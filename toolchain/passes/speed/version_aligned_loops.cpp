//===-- toolchain/passes/speed/version_aligned_loops.cpp - Wide accesses --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An NVIDIA GPU can access 16 bytes by one instruction, at addresses that are
// multiples of 16. LLVM's load-store vectoriser joins neighbouring accesses if
// it knows that the address of the first one is aligned. For a pointer that the
// program has loaded or got as an argument it knows only the alignment of the
// type: 4 for a structure of four floats, though malloc() aligns by 16.
//
// This pass adds a test before a loop with neighbouring accesses, and a copy of
// the loop for addresses that are not aligned. In the loop itself it marks the
// accesses as aligned. AMD's processors have no such restriction.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace {

constexpr uint64_t WIDEST = 16;     ///< most bytes of an access
constexpr unsigned MOST_CODE = 256; ///< most instructions of a loop
/// Most accesses of a loop that are looked at, and most tests before it.
constexpr unsigned MOST_ACCESSES = 64, MOST_TESTS = 8;

struct Access {
  Instruction *instruction;
  const SCEV *address;
  int64_t offset; ///< from the first access of its group
};

/// Accesses of one kind, width and block whose addresses differ by constants.
struct Group {
  SmallVector<Access> accesses;
  uint64_t width;
};

/// An access whose address must be aligned for the next ones to be joined to
/// it.
struct Leader {
  Instruction *instruction;
  const SCEV *address;
  Align alignment;
};

/// Values to test before the loop, each with the alignment of which it must be
/// a multiple.
using Tests = SmallSetVector<std::pair<const SCEV *, uint64_t>, MOST_TESTS>;

/// Changes one loop.
class LoopAligner {
public:
  LoopAligner(Loop &loop, LoopInfo &loops, DominatorTree &tree,
              ScalarEvolution &evolution)
      : loop(loop), loops(loops), tree(tree), evolution(evolution) {}

  bool run();

private:
  bool can_be_copied() const;
  bool has_simple_form() const;
  SmallVector<Group> find_groups() const;
  void find_leaders(Group &group);
  bool is_multiple(const SCEV *value, uint64_t alignment) const;
  bool require(const SCEV *value, uint64_t alignment, Tests &tests) const;
  void copy_loop();

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &tree;
  ScalarEvolution &evolution;
  SmallVector<Leader> leaders;
  Tests tests;
};

bool LoopAligner::can_be_copied() const {
  if (!loop.isInnermost() || !loop.isSafeToClone())
    return false;
  unsigned count = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (instruction.getType()->isTokenTy() || ++count > MOST_CODE)
        return false;
      // Lanes that have to meet in a call might be in different copies.
      if (const auto *call = dyn_cast<CallBase>(&instruction);
          call && (call->isConvergent() || !isa<IntrinsicInst>(call)))
        return false;
    }
  return true;
}

/// 4 or 8 for accesses that can be joined; otherwise 0.
uint64_t width_of(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  const auto *store = dyn_cast<StoreInst>(&instruction);
  if (!(load && load->isSimple()) && !(store && store->isSimple()))
    return 0;
  Type *type = getLoadStoreType(&instruction);
  if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy() &&
      !type->isPointerTy())
    return 0;
  const uint64_t width =
      instruction.getDataLayout().getTypeStoreSize(type).getFixedValue();
  return width == 4 || width == 8 ? width : 0;
}

SmallVector<Group> LoopAligner::find_groups() const {
  SmallVector<Group> groups;
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      const uint64_t width = width_of(instruction);
      if (!width || ++count > MOST_ACCESSES)
        continue;
      const SCEV *address =
          evolution.getSCEV(getLoadStorePointerOperand(&instruction));
      bool found = false;
      for (Group &group : groups) {
        const Access &first = group.accesses.front();
        if (group.width != width ||
            first.instruction->getOpcode() != instruction.getOpcode() ||
            first.instruction->getParent() != block ||
            first.address->getType() != address->getType())
          continue;
        const auto *offset = dyn_cast<SCEVConstant>(
            evolution.getMinusSCEV(address, first.address));
        if (!offset)
          continue;
        group.accesses.push_back(
            {&instruction, address, offset->getAPInt().getSExtValue()});
        found = true;
        break;
      }
      if (!found)
        groups.push_back({{{&instruction, address, 0}}, width});
    }
  return groups;
}

bool LoopAligner::is_multiple(const SCEV *value, uint64_t alignment) const {
  const APInt multiple = evolution.getConstantMultiple(value);
  return multiple.isZero() || multiple.countr_zero() >= Log2_64(alignment);
}

/// Adds the tests that ensure that `value` is a multiple of the alignment in
/// each iteration. False if no tests can.
bool LoopAligner::require(const SCEV *value, uint64_t alignment,
                          Tests &tests) const {
  if (is_multiple(value, alignment))
    return true;
  if (const auto *sum = dyn_cast<SCEVAddExpr>(value)) {
    // The parts that do not change in the loop, and are no multiples, are
    // tested as one sum.
    SmallVector<const SCEV *> fixed;
    for (const SCEV *part : sum->operands())
      if (is_multiple(part, alignment))
        continue;
      else if (evolution.isLoopInvariant(part, &loop))
        fixed.push_back(part);
      else if (!require(part, alignment, tests))
        return false;
    if (fixed.size() != sum->getNumOperands())
      return fixed.empty() ||
             require(evolution.getAddExpr(fixed), alignment, tests);
  }
  if (isa<SCEVConstant>(value))
    return false;
  if (evolution.isLoopInvariant(value, &loop)) {
    tests.insert({value, alignment});
    return true;
  }
  const auto *linear = dyn_cast<SCEVAddRecExpr>(value);
  return linear && linear->getLoop() == &loop && linear->isAffine() &&
         require(linear->getStart(), alignment, tests) &&
         require(linear->getStepRecurrence(evolution), alignment, tests);
}

void LoopAligner::find_leaders(Group &group) {
  sort(group.accesses, [](const Access &a, const Access &b) {
    return a.offset < b.offset;
  });
  const auto &all = group.accesses;
  for (size_t begin = 0; begin < all.size();) {
    // A run of neighbours. Those with the same address count once.
    size_t end = begin + 1;
    while (end < all.size() &&
           (uint64_t)(all[end].offset - all[end - 1].offset) <= group.width &&
           (all[end].offset - all[begin].offset) % group.width == 0)
      ++end;
    const uint64_t bytes =
        (uint64_t)(all[end - 1].offset - all[begin].offset) + group.width;
    const uint64_t alignment = std::min(bit_floor(bytes), WIDEST);
    for (size_t i = begin; i < end; ++i) {
      const uint64_t at = (uint64_t)(all[i].offset - all[begin].offset);
      if (alignment <= group.width || at % alignment ||
          bytes - at < 2 * group.width ||
          getLoadStoreAlignment(all[i].instruction).value() >= alignment)
        continue;
      Tests more = tests;
      if (!require(all[i].address, alignment, more) || more.size() > MOST_TESTS)
        continue;
      tests = more;
      leaders.push_back({all[i].instruction, all[i].address, Align(alignment)});
    }
    begin = end;
  }
}

/// Adds the tests and the copy of the loop for addresses that are not aligned.
void LoopAligner::copy_loop() {
  BasicBlock *before = loop.getLoopPreheader();
  BasicBlock *aligned =
      SplitBlock(before, before->getTerminator(), &tree, &loops);
  SCEVExpander expander(evolution, "alignment");
  Instruction *end = before->getTerminator();
  IRBuilder<> builder(end);
  Value *rest = nullptr;
  for (auto [value, alignment] : tests) {
    Type *word = evolution.getEffectiveSCEVType(value->getType());
    const SCEV *as_number = value->getType()->isPointerTy()
                                ? evolution.getLosslessPtrToIntExpr(value)
                                : value;
    Value *number = expander.expandCodeFor(as_number, word, end->getIterator());
    builder.SetInsertPoint(end);
    Value *low = builder.CreateAnd(
        builder.CreateZExtOrTrunc(number, builder.getInt32Ty()), alignment - 1);
    rest = rest ? builder.CreateOr(rest, low) : low;
  }
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *> blocks;
  Loop *copy = cloneLoopWithPreheader(aligned, before, &loop, copies,
                                      ".unaligned", &loops, &tree, blocks);
  remapInstructionsInBlocks(blocks, copies);
  builder.SetInsertPoint(end);
  builder.CreateCondBr(builder.CreateICmpEQ(rest, builder.getInt32(0)), aligned,
                       copy->getLoopPreheader());
  end->eraseFromParent();
  BasicBlock *exit = loop.getUniqueExitBlock();
  for (PHINode &phi : exit->phis())
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      const auto found = copies.find(phi.getIncomingValue(i));
      phi.addIncoming(found == copies.end() ? phi.getIncomingValue(i)
                                            : (Value *)found->second,
                      cast<BasicBlock>(copies[phi.getIncomingBlock(i)]));
    }
  tree.changeImmediateDominator(exit, before);
}

/// Brings the loop into LLVM's simple form, if possible: code can be added
/// before it. True if it also has a single exit block.
bool LoopAligner::has_simple_form() const {
  simplifyLoop(&loop, &tree, &loops, &evolution, nullptr, nullptr, false);
  return loop.isLoopSimplifyForm() && loop.getUniqueExitBlock();
}

bool LoopAligner::run() {
  const auto is_single = [](const Group &group) {
    return group.accesses.size() == 1;
  };
  if (!can_be_copied() || all_of(find_groups(), is_single) ||
      !has_simple_form())
    return false;
  SmallVector<Group> groups = find_groups();
  for (Group &group : groups)
    find_leaders(group);
  if (leaders.empty())
    return false;
  const Instruction &end = *loop.getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "alignment");
  for (auto [value, alignment] : tests)
    if (!expander.isSafeToExpandAt(value, &end))
      return false;
  if (!tests.empty()) {
    formLCSSA(loop, tree, &loops, &evolution);
    copy_loop();
  }
  for (const Leader &leader : leaders)
    setLoadStoreAlignment(leader.instruction, leader.alignment);
  return true;
}

} // namespace

PreservedAnalyses
gpuexec::version_aligned_loops(Function &function,
                               FunctionAnalysisManager &analyses) {
  if (function.hasOptNone() || function.hasOptSize())
    return PreservedAnalyses::all();
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  DominatorTree &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  ScalarEvolution &evolution =
      analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (LoopAligner(*loop, loops, tree, evolution).run()) {
      evolution.forgetLoop(loop);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
