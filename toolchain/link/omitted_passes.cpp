//===-- toolchain/link/omitted_passes.cpp - See omitted_passes.h ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/omitted_passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils.h"

using namespace llvm;

namespace gpuexec {

namespace {

/// A function of more instructions of LLVM IR is compiled without the passes
/// whose time grows with the square of its size. A scanner of 68 000 lines,
/// which is one function, links in 50 s of processor time; with two of the
/// passes it took 178 s, with all more than 250. In a function of 20 000 lines
/// they took 40 % of the time.
constexpr uint64_t LONGEST_FOR_ALL_PASSES = 20000;

/// Such passes whose IDs LLVM keeps to itself, by their arguments:
/// - si-form-memory-clauses keeps the addresses of neighbouring loads in
///   registers. Without it the hazard recogniser keeps more loads apart that
///   must not be repeated together;
/// - si-peephole-sdwa joins shifts with what uses their results.
constexpr const char *SLOW_PASSES[] = {"si-form-memory-clauses",
                                       "si-peephole-sdwa"};

AnalysisID id(Pass *created) {
  return std::unique_ptr<Pass>(created)->getPassID();
}

bool has_long_function(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.getInstructionCount() > LONGEST_FOR_ALL_PASSES;
  });
}

} // namespace

SmallVector<AnalysisID> omitted_passes(const Module &module, bool one_thread) {
  SmallVector<AnalysisID> omitted;
  // What prepares the control flow for masks of lanes: a program with one
  // thread a block does not need it, and it turns the main loops of
  // interpreters into chains of tests.
  if (one_thread)
    omitted = {id(createFixIrreduciblePass()), id(createUnifyLoopExitsPass()),
               id(createStructurizeCFGPass())};
  if (has_long_function(module)) {
    // This one derives products from one another, and also takes gigabytes.
    // Its name is not known before LLVM has created it for the first time.
    omitted.push_back(id(createStraightLineStrengthReducePass()));
    for (const char *name : SLOW_PASSES)
      if (const PassInfo *pass =
              PassRegistry::getPassRegistry()->getPassInfo(StringRef(name)))
        omitted.push_back(pass->getTypeInfo());
  }
  return omitted;
}

} // namespace gpuexec
