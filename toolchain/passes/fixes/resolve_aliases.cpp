//===-- toolchain/passes/fixes/resolve_aliases.cpp - No second names ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX has aliases of functions alone, and neither end of one may be weak; nor
// does nvlink keep an alias whose address is compared. So this pass puts the
// function or variable in the alias's place wherever the module names it. What
// code outside the module may still call by the alias's name becomes a copy of
// the function. A variable cannot be copied: that is an error.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace {

/// Whether nobody needs the name: no code here, and none in other modules.
bool is_needless(const GlobalAlias &alias) {
  return alias.use_empty() && alias.hasLocalLinkage();
}

void replace_by_copy(GlobalAlias &alias, Function &function) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  copy->setLinkage(alias.getLinkage());
  copy->setVisibility(alias.getVisibility());
  copy->takeName(&alias);
  alias.replaceAllUsesWith(copy);
  alias.eraseFromParent();
}

void resolve(GlobalAlias &alias) {
  Module &module = *alias.getParent();
  // Another file's definition may take the place of a weak alias.
  if (!alias.isInterposable())
    alias.replaceAllUsesWith(alias.getAliasee());
  if (is_needless(alias)) {
    alias.eraseFromParent();
    return;
  }
  GlobalObject *object = alias.getAliaseeObject();
  auto *function = dyn_cast_or_null<Function>(object);
  if (function && !function->isDeclaration()) {
    replace_by_copy(alias, *function);
    return;
  }
  module.getContext().emitError(
      "'" + alias.getName() + "' is an alias of '" +
      (object ? object->getName() : "an address") +
      "' that other files can see, and NVIDIA's GPUs have aliases of functions "
      "alone: compile '" +
      module.getSourceFileName() + "' without -fno-lto and -S");
  alias.replaceAllUsesWith(alias.getAliasee()); // the backend would crash
  alias.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::resolve_aliases(Module &module,
                                           ModuleAnalysisManager &) {
  if (module.alias_empty())
    return PreservedAnalyses::all();
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    resolve(alias);
  return PreservedAnalyses::none();
}
