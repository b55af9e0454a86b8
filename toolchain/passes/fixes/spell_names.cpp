//===-- toolchain/passes/fixes/spell_names.cpp - Names that PTX has -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in PTX consist of letters, digits, _ and $. LLVM's backend spells
// others with _$_, but only those of local functions and variables. Where a
// link makes machine code in several parts, these are not local any more: this
// pass spells them in the same way before LLVM divides the program.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>

using namespace llvm;

static std::string spelled(StringRef name) {
  std::string result;
  for (char character : name)
    if (isAlnum(character) || character == '_' || character == '$')
      result += character;
    else
      result += "_$_";
  return result;
}

PreservedAnalyses gpuexec::spell_names(Module &module,
                                       ModuleAnalysisManager &) {
  for (GlobalValue &symbol : module.global_values())
    if (symbol.hasLocalLinkage()) {
      const std::string name = spelled(symbol.getName());
      if (name != symbol.getName())
        symbol.setName(name);
    }
  return PreservedAnalyses::all();
}
