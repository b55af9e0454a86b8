//===-- toolchain/passes/fixes/split_cycle_entries.cpp - FixIrreducible ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cycle of blocks that gotos enter at several places is irreducible.
// FixIrreducible of LLVM 22, which AMD's backend runs before StructurizeCFG,
// makes it a loop: a new guard block becomes the only entry, and the edges to
// the cycle's header lead to the guard. FixIrreducible moves the values of the
// phis in all entries to the guard. For a block of the cycle that branches to
// the header or to another entry it moves the values of both edges, but
// redirects only the edge to the header (ControlFlowHub's reconnectPhis). On
// the other edge the phi then has the latest value of the guard, and the
// program is miscompiled.
//
// So this pass puts a block of its own on each edge from a cycle to one of its
// own entries. Empty assembly, which costs no instruction, keeps later passes
// from removing that block.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace gpuexec {
namespace {

using Edges = SetVector<std::pair<BasicBlock *, BasicBlock *>>;

/// The edges from blocks of irreducible cycles to entries of the same cycle.
Edges find_edges(Function &function) {
  CycleInfo cycles;
  cycles.compute(function);
  Edges edges;
  for (Cycle *top : cycles.toplevel_cycles())
    for (Cycle *cycle : depth_first(top))
      if (!cycle->isReducible())
        for (BasicBlock *entry : cycle->getEntries())
          for (BasicBlock *from : predecessors(entry))
            if (cycle->contains(from) &&
                isa<BranchInst, SwitchInst>(from->getTerminator()))
              edges.insert({from, entry});
  return edges;
}

/// Adds a block between `from` and `to`, for all edges between them.
BasicBlock *split(BasicBlock &from, BasicBlock &to) {
  auto *between =
      BasicBlock::Create(from.getContext(), "", from.getParent(), &to);
  from.getTerminator()->replaceSuccessorWith(&to, between);
  for (PHINode &phi : to.phis()) {
    phi.setIncomingBlock(unsigned(phi.getBasicBlockIndex(&from)), between);
    for (int i; (i = phi.getBasicBlockIndex(&from)) >= 0;) // of a switch
      phi.removeIncomingValue(unsigned(i), /*DeletePHIIfEmpty=*/false);
  }
  BranchInst::Create(&to, between)
      ->setDebugLoc(from.getTerminator()->getDebugLoc());
  return between;
}

/// Keeps later passes from removing the block.
void keep(BasicBlock &block) {
  IRBuilder<> builder(block.getTerminator());
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(type, InlineAsm::get(type, "", "", true));
}

} // namespace

PreservedAnalyses split_cycle_entries(Function &function,
                                      FunctionAnalysisManager &) {
  const Edges edges = find_edges(function);
  for (auto [from, to] : edges)
    keep(from->getSingleSuccessor() ? *from : *split(*from, *to));
  return edges.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace gpuexec
