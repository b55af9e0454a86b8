//===-- toolchain/passes/fixes/keep_inlined_lines.cpp - Lines of callers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library and start-up code have no debug information. When LLVM inlines
// a function into one without debug information, it drops the source locations:
// those of main when it is inlined into _start, and those of a program's
// comparison function when it is inlined into qsort. In a program with debug
// information this pass gives an entry without a line, in the program's first
// compile unit, to each function of the library that may call the program. A
// call of a function with debug information needs a location if the caller has
// debug information, too: the pass runs again after passes that add calls, to
// give them locations.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

DICompileUnit *unit_with_lines(const Module &module) {
  for (DICompileUnit *unit : module.debug_compile_units())
    if (unit->getEmissionKind() != DICompileUnit::NoDebug)
      return unit;
  return nullptr;
}

/// Is it a call that may reach a function with debug information?
bool may_come_back(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || call->isInlineAsm())
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee || callee->getSubprogram(); // or through a pointer
}

/// The functions without debug information that may call one that has it,
/// directly or through others.
SetVector<Function *> find_functions(Module &module) {
  SetVector<Function *> found;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.getSubprogram() &&
        any_of(instructions(function), may_come_back))
      found.insert(&function);
  for (size_t i = 0; i < found.size(); ++i)
    for (const User *user : found[i]->users())
      if (const auto *call = dyn_cast<CallBase>(user))
        if (Function *caller = const_cast<Function *>(call->getFunction());
            !caller->getSubprogram())
          found.insert(caller);
  return found;
}

/// Gives a function debug information without lines.
void add_lines(Function &function, DIBuilder &builder, DICompileUnit &unit) {
  DISubprogram *lines = builder.createFunction(
      unit.getFile(), function.getName(), function.getName(), unit.getFile(),
      /*LineNo=*/0,
      builder.createSubroutineType(builder.getOrCreateTypeArray({})),
      /*ScopeLine=*/0, DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  function.setSubprogram(lines);
  DILocation *nowhere = DILocation::get(function.getContext(), 0, 0, lines);
  for (Instruction &instruction : instructions(function))
    instruction.setDebugLoc(nowhere);
}

/// Gives calls that lack a location one without a line. LLVM refuses calls
/// without a location between functions with debug information.
void complete_calls_in(Function &function) {
  DISubprogram *lines = function.getSubprogram();
  for (Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallBase>(&instruction);
        call && !call->getDebugLoc() && !call->isInlineAsm() &&
        !isa<IntrinsicInst>(call))
      instruction.setDebugLoc(
          DILocation::get(function.getContext(), 0, 0, lines));
}

} // namespace

PreservedAnalyses gpuexec::keep_inlined_lines(Module &module,
                                              ModuleAnalysisManager &) {
  DICompileUnit *unit = unit_with_lines(module);
  if (!unit)
    return PreservedAnalyses::all();
  DIBuilder builder(module, /*AllowUnresolved=*/false, unit);
  for (Function *function : find_functions(module))
    add_lines(*function, builder, *unit);
  builder.finalize();
  for (Function &function : module)
    if (function.getSubprogram())
      complete_calls_in(function);
  return PreservedAnalyses::none();
}
