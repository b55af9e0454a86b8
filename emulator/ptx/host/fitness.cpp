//===-- emulator/ptx/host/fitness.cpp - See fitness.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane that waits for another one of its block would wait for ever, as the
// other one runs later. So no loop may depend on what others write, unless the
// lane itself makes progress: by a compare-and-swap whose expected value it
// reads again, or by counting.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/host/fitness.h"
#include "emulator/ptx/lower/names.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuexec::ptx::host {

namespace {

std::string of_call(const CallInst &call) {
  if (call.isInlineAsm())
    return "inline assembly";
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return "an indirect call";
  StringRef name = callee->getName();
  if (name.consume_front(UNFIT))
    return name.str();
  if (callee->isIntrinsic() || name.starts_with(PREFIX))
    return "";
  return (callee->isDeclaration() ? "a call of '" : "recursion in '") +
         name.str() + "'";
}

/// Of an instruction in a loop.
bool may_wait(const Instruction &each, const CycleInfo &cycles) {
  if (isa<FenceInst>(each))
    return true;
  if (const auto *load = dyn_cast<LoadInst>(&each))
    return load->isAtomic();
  if (const auto *change = dyn_cast<AtomicRMWInst>(&each))
    return !change->use_empty() &&
           change->getOperation() != AtomicRMWInst::Add &&
           change->getOperation() != AtomicRMWInst::Sub &&
           !AtomicRMWInst::isFPOperation(change->getOperation());
  const auto *swap = dyn_cast<AtomicCmpXchgInst>(&each);
  if (!swap)
    return false;
  const auto *expected = dyn_cast<Instruction>(swap->getCompareOperand());
  return !expected || !cycles.getCycle(expected->getParent());
}

} // namespace

std::string why_unfit(Function &kernel) {
  CycleInfo cycles;
  cycles.compute(kernel);
  for (Instruction &each : instructions(kernel)) {
    if (const auto *call = dyn_cast<CallInst>(&each))
      if (std::string reason = of_call(*call); !reason.empty())
        return reason;
    if (const auto *variable = dyn_cast<AllocaInst>(&each))
      if (!variable->isStaticAlloca())
        return "an allocation on the stack";
    if (cycles.getCycle(each.getParent()) && may_wait(each, cycles))
      return "a loop that may wait for another thread";
  }
  return "";
}

} // namespace gpuexec::ptx::host
