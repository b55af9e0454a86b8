//===-- emulator/ptx/lower/states.cpp - See states.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/states.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace gpuexec::ptx {

bool is_host(const llvm::Module &module) {
  return !module.getTargetTriple().isAMDGPU();
}

unsigned address_space(Space space, const llvm::Module &module) {
  if (is_host(module))
    return 0;
  switch (space) {
  case Space::global:
    return AMDGPUAS::GLOBAL_ADDRESS;
  case Space::shared:
    return AMDGPUAS::LOCAL_ADDRESS;
  case Space::constant:
    return AMDGPUAS::CONSTANT_ADDRESS;
  case Space::local:
  case Space::reg:
  case Space::sreg:
  case Space::param:
    return AMDGPUAS::PRIVATE_ADDRESS;
  case Space::generic:
    break;
  }
  return AMDGPUAS::FLAT_ADDRESS;
}

llvm::Type *register_type(const Variable &variable, LLVMContext &context) {
  llvm::Type *one = IntegerType::get(context, bits_of(variable.type));
  return variable.vector == 1 ? one : ArrayType::get(one, variable.vector);
}

bool ModuleState::fail(uint32_t line, const Twine &what) {
  if (error.empty())
    error = (name + ":" + Twine(line) + ": error: " + what).str();
  return false;
}

Value *FunctionState::allocate(llvm::Type *type, uint32_t alignment) {
  IRBuilder<> ir(entry->getTerminator());
  AllocaInst *storage = ir.CreateAlloca(
      type, address_space(Space::local, module.target), nullptr);
  if (alignment)
    storage->setAlignment(Align(alignment));
  return storage;
}

const Place *FunctionState::find(StringRef name) {
  for (Scope &scope : reverse(scopes)) {
    if (auto found = scope.places.find(name); found != scope.places.end())
      return &found->second;
    for (const Variable *group : scope.groups) {
      StringRef digits = name;
      uint32_t number;
      if (!digits.consume_front(group->name) || digits.empty() ||
          (digits.size() > 1 && digits[0] == '0') ||
          digits.getAsInteger(10, number) || number >= group->register_count)
        continue;
      Place &place = scope.places[name];
      place.variable = group;
      place.storage = allocate(register_type(*group, target.getContext()), 0);
      return &place;
    }
  }
  auto found = module.variables.find(name);
  return found == module.variables.end() ? nullptr : &found->second;
}

BasicBlock *FunctionState::find_label(StringRef name) {
  for (Scope &scope : reverse(scopes))
    if (BasicBlock *block = scope.labels.lookup(name))
      return block;
  return nullptr;
}

const Prototype *FunctionState::find_prototype(StringRef name) {
  for (Scope &scope : reverse(scopes))
    if (const Prototype *prototype = scope.prototypes.lookup(name))
      return prototype;
  return nullptr;
}

const ArrayRef<StringRef> *FunctionState::find_targets(StringRef name) {
  for (Scope &scope : reverse(scopes))
    if (auto found = scope.targets.find(name); found != scope.targets.end())
      return &found->second;
  return nullptr;
}

} // namespace gpuexec::ptx
