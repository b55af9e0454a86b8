//===-- emulator/ptx/lower/states.h - What lowering knows ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_STATES_H
#define GPUEXEC_EMULATOR_PTX_LOWER_STATES_H

#include "emulator/ptx/parse/syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"
#include <string>

namespace gpuexec::ptx {

/// LLVM's address space of a PTX space.
unsigned address_space(Space space, const llvm::Module &module);
/// Whether the module is for this machine's processor, not for an AMD GPU. All
/// spaces are then one, and what a warp does is a call (host/names.h).
bool is_host(const llvm::Module &module);
/// The type of a register: iN, i1 for pred, an array of them for a vector.
llvm::Type *register_type(const Variable &variable, llvm::LLVMContext &context);

/// Where LLVM has a variable: a pointer to it.
struct Place {
  const Variable *variable = nullptr;
  llvm::Value *storage = nullptr;
};

/// What is declared between two braces.
struct Scope {
  llvm::DenseMap<llvm::StringRef, Place> places;
  llvm::SmallVector<const Variable *, 8> groups; ///< %r<27>
  llvm::DenseMap<llvm::StringRef, llvm::BasicBlock *> labels;
  llvm::DenseMap<llvm::StringRef, const Prototype *> prototypes;
  llvm::DenseMap<llvm::StringRef, llvm::ArrayRef<llvm::StringRef>> targets;
};

/// The module that is lowered.
struct ModuleState {
  ModuleState(const Module &source, llvm::StringRef name, llvm::Module &target)
      : source(source), name(name), target(target) {}

  const Module &source;
  llvm::StringRef name; ///< how messages call the text
  llvm::Module &target;
  llvm::DenseMap<llvm::StringRef, Place> variables;
  llvm::DenseMap<llvm::StringRef, llvm::Function *> functions;
  /// One for each function, the one with a body if there is one.
  llvm::DenseMap<llvm::StringRef, const Function *> declarations;
  /// Functions of which a thread may not return, as one may reach `exit`.
  llvm::DenseMap<llvm::StringRef, bool> may_exit;
  llvm::DIBuilder *debug = nullptr; ///< null without .loc
  llvm::DenseMap<uint32_t, llvm::DIFile *> files;
  std::string error; ///< the first one, or empty

  /// Keeps "NAME:LINE: error: what", if it is the first. Returns false.
  bool fail(uint32_t line, const llvm::Twine &what);
};

/// The function that is lowered.
struct FunctionState {
  FunctionState(ModuleState &module, const Function &source,
                llvm::Function &target)
      : module(module), source(source), target(target) {}

  ModuleState &module;
  const Function &source;
  llvm::Function &target;
  /// Ends with a branch to the body; allocas stand before it.
  llvm::BasicBlock *entry = nullptr;
  llvm::SmallVector<Scope, 4> scopes;
  llvm::SmallVector<Place, 2> results;
  llvm::DISubprogram *subprogram = nullptr;
  uint32_t line = 0;                 ///< of the statement that is lowered
  llvm::Value *carry_flag = nullptr; ///< its variable; null until it is used

  /// The register, variable or parameter of a name; null if there is none. A
  /// register of a group is made when it is first asked for.
  const Place *find(llvm::StringRef name);
  llvm::BasicBlock *find_label(llvm::StringRef name);
  const Prototype *find_prototype(llvm::StringRef name);
  const llvm::ArrayRef<llvm::StringRef> *find_targets(llvm::StringRef name);
  /// An alloca in the entry block.
  llvm::Value *allocate(llvm::Type *type, uint32_t alignment);
  bool fail(const llvm::Twine &what) { return module.fail(line, what); }
};

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_STATES_H
