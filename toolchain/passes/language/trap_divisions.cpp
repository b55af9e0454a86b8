//===-- toolchain/passes/language/trap_divisions.cpp - Division by zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU divides integers by a sequence of instructions that gives some number
// when the divisor is zero. x86-64 raises SIGFPE, on which programs and their
// users rely. This pass adds a test before each division: whether the divisor
// is zero, and whether the quotient of two signed numbers is too large (the
// least number by -1). Then the program traps. The pass runs after the
// optimiser, on the divisions that it has left. It adds no test where the
// divisor is known not to be zero: a constant, a value that the program has
// tested, one by which it has divided before. The block with the trap branches
// back to the division, as if execution continued, so that lanes that diverge
// there need no other exit of the function.
//
// GPUEXEC_DIVISIONS=unchecked in the environment (gpucc
// --no-division-check) switches the pass off.
//===----------------------------------------------------------------------===//
#include "gpu/trap_marks.h"
#include "toolchain/passes/passes.h"
#include <cstdlib>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char SETTING[] = "GPUEXEC_DIVISIONS";

/// A division, and what to test before it.
struct Test {
  BinaryOperator *division;
  bool zero;     ///< test whether the divisor is 0
  bool overflow; ///< test whether it is -1 and the dividend the least number
};

bool is_signed(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::SDiv ||
         division.getOpcode() == Instruction::SRem;
}

bool is_division(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::SRem:
  case Instruction::UDiv:
  case Instruction::URem:
    return true;
  default:
    return false;
  }
}

/// Finds the divisions of a function that need a test.
class Search {
public:
  Search(Function &function, DominatorTree &tree, AssumptionCache &assumptions)
      : tree(tree), assumptions(assumptions), layout(function.getDataLayout()) {
    for (Instruction &instruction : instructions(function))
      if (is_division(instruction))
        add(cast<BinaryOperator>(instruction));
  }
  SmallVector<Test> tests;

private:
  void add(BinaryOperator &division) {
    Value *by = division.getOperand(1);
    const SimplifyQuery query(layout, &tree, &assumptions, &division);
    bool zero = !isKnownNonZero(by, query) && !was_tested(*by, division);
    bool overflow = may_overflow(division, query);
    for (const BinaryOperator *other : by_divisor.lookup(by))
      if (tree.dominates(other, &division)) {
        zero = false;
        overflow &= !is_signed(*other) ||
                    other->getOperand(0) != division.getOperand(0);
      }
    by_divisor[by].push_back(&division);
    if (zero || overflow)
      tests.push_back({&division, zero, overflow});
  }

  bool may_overflow(const BinaryOperator &division,
                    const SimplifyQuery &query) const {
    if (!is_signed(division))
      return false;
    const KnownBits by = computeKnownBits(division.getOperand(1), query);
    if (!by.Zero.isZero()) // in -1 all bits are set
      return false;
    const KnownBits of = computeKnownBits(division.getOperand(0), query);
    const APInt least = APInt::getSignedMinValue(of.getBitWidth());
    return !of.Zero.intersects(least) && !of.One.intersects(~least);
  }

  /// Does the program reach the division only after a comparison that found
  /// `by` not to be zero?
  bool was_tested(const Value &by, const BinaryOperator &division) const {
    if (isa<Constant>(by))
      return false;
    for (const User *user : by.users()) {
      CmpPredicate predicate;
      if (!match(user, m_ICmp(predicate, m_Specific(&by), m_Zero())) ||
          !ICmpInst::isEquality(predicate))
        continue;
      for (const User *branched : user->users()) {
        const auto *branch = dyn_cast<BranchInst>(branched);
        if (!branch || !branch->isConditional())
          continue;
        const BasicBlockEdge edge(
            branch->getParent(),
            branch->getSuccessor(predicate == ICmpInst::ICMP_EQ ? 1 : 0));
        if (edge.isSingleEdge() && tree.dominates(edge, division.getParent()))
          return true;
      }
    }
    return false;
  }

  DominatorTree &tree;
  AssumptionCache &assumptions;
  const DataLayout &layout;
  DenseMap<const Value *, SmallVector<const BinaryOperator *, 2>> by_divisor;
};

/// The condition as one bit: for a vector, whether any element is true.
Value *any(IRBuilder<> &builder, Value *condition) {
  return condition->getType()->isVectorTy() ? builder.CreateOrReduce(condition)
                                            : condition;
}

void trap(IRBuilder<> &builder) {
  InlineAsm *code = InlineAsm::get(
      FunctionType::get(builder.getVoidTy(), false),
      GPUEXEC_TRAP_ASSEMBLY(GPUEXEC_TRAP_DIVISION), "", /*sideEffects=*/true);
  builder.CreateCall(code);
}

/// The exact condition of a test, for a block that is reached only if the
/// divisor is 0 or -1.
Value *is_wrong(IRBuilder<> &builder, const Test &test) {
  Value *of = test.division->getOperand(0), *by = test.division->getOperand(1);
  Type *type = by->getType();
  const APInt least = APInt::getSignedMinValue(type->getScalarSizeInBits());
  Value *wrong = builder.CreateAnd(
      builder.CreateICmpEQ(of, ConstantInt::get(type, least)),
      builder.CreateICmpEQ(by, Constant::getAllOnesValue(type)));
  if (test.zero)
    wrong = builder.CreateOr(wrong, builder.CreateIsNull(by));
  return any(builder, wrong);
}

void add(const Test &test) {
  BinaryOperator &division = *test.division;
  IRBuilder<> builder(&division);
  Value *by = division.getOperand(1);
  Type *type = by->getType();
  Value *suspect = nullptr; // a single comparison, also for 0 and -1 together
  if (!test.overflow)
    suspect = builder.CreateIsNull(by);
  else if (test.zero)
    suspect =
        builder.CreateICmpULT(builder.CreateAdd(by, ConstantInt::get(type, 1)),
                              ConstantInt::get(type, 2));
  else
    suspect = builder.CreateICmpEQ(by, Constant::getAllOnesValue(type));
  MDNode *unlikely =
      MDBuilder(division.getContext()).createUnlikelyBranchWeights();
  Instruction *then =
      SplitBlockAndInsertIfThen(any(builder, suspect), division.getIterator(),
                                /*Unreachable=*/false, unlikely);
  then->setDebugLoc(division.getDebugLoc());
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(division.getDebugLoc());
  if (test.overflow) {
    Instruction *wrong = SplitBlockAndInsertIfThen(
        is_wrong(builder, test), then->getIterator(), false, unlikely);
    wrong->setDebugLoc(division.getDebugLoc());
    builder.SetInsertPoint(wrong);
    builder.SetCurrentDebugLocation(division.getDebugLoc());
  }
  trap(builder);
}

} // namespace

PreservedAnalyses gpuexec::trap_divisions(Function &function,
                                          FunctionAnalysisManager &analyses) {
  const char *setting = std::getenv(SETTING);
  if (setting && StringRef(setting) == "unchecked")
    return PreservedAnalyses::all();
  if (none_of(instructions(function), is_division))
    return PreservedAnalyses::all();
  const Search search(function,
                      analyses.getResult<DominatorTreeAnalysis>(function),
                      analyses.getResult<AssumptionAnalysis>(function));
  for (const Test &test : search.tests)
    add(test);
  return search.tests.empty() ? PreservedAnalyses::all()
                              : PreservedAnalyses::none();
}
