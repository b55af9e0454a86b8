//===-- emulator/ptx/lower/module.cpp - See module.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/module.h"
#include "emulator/ptx/lower/exits.h"
#include "emulator/ptx/lower/function.h"
#include "emulator/ptx/lower/states.h"
#include "emulator/ptx/lower/variables.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

constexpr unsigned CODE_OBJECT_VERSION = 500;

class Lowering {
public:
  Lowering(const Module &source, StringRef name, llvm::Module &target)
      : state(source, name, target), debug(target) {}

  bool lower(bool several) {
    begin_debug();
    find_exits(state, several);
    return declare_functions() && make_variables() && fill_functions() &&
           finish();
  }

  ModuleState state;

private:
  /// Files of .loc. Without any there is no debug information.
  void begin_debug() {
    if (state.source.files.empty())
      return;
    for (const File &file : state.source.files)
      state.files[file.number] = debug.createFile(
          sys::path::filename(file.name), sys::path::parent_path(file.name));
    debug.createCompileUnit(
        DISourceLanguageName(dwarf::DW_LANG_C_plus_plus),
        state.files[state.source.files[0].number], "gpuexec-ptx",
        /*isOptimized=*/true, "", 0, "", DICompileUnit::LineTablesOnly);
    state.target.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                               DEBUG_METADATA_VERSION);
    state.debug = &debug;
  }

  /// The declaration that has a body stands for all of a name.
  bool declare_functions() {
    for (const Function &function : state.source.functions) {
      const Function *&kept = state.declarations[function.name];
      if (kept && kept->body && function.body)
        return state.fail(function.line,
                          "'" + function.name + "' is defined twice");
      if (!kept || function.body)
        kept = &function;
    }
    for (const Function &function : state.source.functions)
      if (state.declarations[function.name] == &function)
        state.functions[function.name] = declare_function(state, function);
    for (auto [alias, function] : state.source.aliases) {
      llvm::Function *target = state.functions.lookup(function);
      if (!target)
        return state.fail(1, "'" + function + "' of .alias is not declared");
      state.declarations[alias] = state.declarations.lookup(function);
      state.functions[alias] = target;
    }
    return true;
  }

  bool make_variables() {
    for (const Variable &variable : state.source.variables) {
      Place &place = state.variables[variable.name];
      if (place.variable && !(place.variable->is_extern || variable.is_extern))
        return state.fail(variable.line,
                          "'" + variable.name + "' is defined twice");
      if (place.variable && variable.is_extern)
        continue;
      GlobalVariable *made = make_variable(state, variable);
      if (!made)
        return false;
      if (place.storage) { // declared as .extern before
        made->takeName(place.storage);
        cast<GlobalVariable>(place.storage)->eraseFromParent();
      }
      place = {&variable, made};
    }
    for (const Variable &variable : state.source.variables)
      if (const Place place = state.variables[variable.name];
          place.variable == &variable &&
          !initialize_variable(state, variable,
                               *cast<GlobalVariable>(place.storage)))
        return false;
    return true;
  }

  bool fill_functions() {
    for (const Function &function : state.source.functions)
      if (function.body &&
          !lower_body(state, function, *state.functions[function.name]))
        return false;
    return true;
  }

  bool finish() {
    if (state.debug)
      debug.finalize();
    return true;
  }

  DIBuilder debug;
};

} // namespace

Expected<std::unique_ptr<llvm::Module>>
lower(const Module &module, StringRef name, LLVMContext &context, bool several,
      const Triple &triple) {
  auto target = std::make_unique<llvm::Module>(name, context);
  target->setTargetTriple(triple);
  target->setDataLayout(triple.computeDataLayout());
  if (triple.isAMDGPU())
    target->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                          CODE_OBJECT_VERSION);
  Lowering lowering(module, name, *target);
  if (!lowering.lower(several))
    return createStringError(lowering.state.error);
  return target;
}

} // namespace gpuexec::ptx
