//===-- emulator/ptx/lower/exits.cpp - See exits.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/exits.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// What one pass over all bodies finds.
struct Found {
  DenseSet<StringRef> functions; ///< all names
  DenseMap<StringRef, SmallVector<StringRef, 2>> callers;
  DenseSet<StringRef> taken; ///< functions whose address is used
  SmallVector<StringRef, 4> exiting;
};

void visit(const Block &block, StringRef function, Found &found) {
  for (const Statement &each : block.statements) {
    if (each.kind == Statement::Kind::block)
      visit(*each.block, function, found);
    if (each.kind != Statement::Kind::instruction)
      continue;
    const Instruction &i = *each.instruction;
    if (i.opcode == "exit")
      found.exiting.push_back(function);
    const bool is_call = i.opcode == "call";
    if (!is_call && i.opcode != "mov" && i.opcode != "st")
      continue;
    for (const Operand &operand : i.operands)
      if (operand.kind == Operand::Kind::name &&
          found.functions.contains(operand.name)) {
        if (is_call)
          found.callers[operand.name].push_back(function);
        else
          found.taken.insert(operand.name);
      }
  }
}

void take(const Operand &value, Found &found) {
  for (const Operand &part : value.parts)
    take(part, found);
  if (found.functions.contains(value.name))
    found.taken.insert(value.name);
}

} // namespace

void find_exits(ModuleState &module, bool several) {
  Found found;
  DenseSet<StringRef> kernels;
  for (const Function &function : module.source.functions)
    (function.is_kernel ? kernels : found.functions).insert(function.name);
  for (const Function &function : module.source.functions)
    if (several && !function.is_kernel &&
        (function.is_visible || function.is_weak || function.is_extern))
      found.taken.insert(function.name);
  for (const Function &function : module.source.functions)
    if (function.body)
      visit(*function.body, function.name, found);
  for (const Variable &variable : module.source.variables)
    for (const Operand &value : variable.initializer)
      take(value, found);
  while (!found.exiting.empty()) {
    const StringRef name = found.exiting.pop_back_val();
    if (kernels.contains(name) || found.taken.contains(name) ||
        std::exchange(module.may_exit[name], true))
      continue;
    append_range(found.exiting, found.callers[name]);
  }
}

} // namespace gpuexec::ptx
