//===-- toolchain/cuda/plugin/managed.cpp - __managed__ variables ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang has managed variables for HIP alone: host and device keep the address
// of memory that the runtime allocates, and each use goes through it. This
// plugin gives CUDA an attribute with the same meaning. The initial values are
// in a variable of the device, NAME__managed, which clang calls NAME.managed:
// PTX has no such names. (libcudart: emulator/cuda/runtime/program.cpp)
//===----------------------------------------------------------------------===//
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

using namespace llvm;

namespace {

struct Managed : clang::ParsedAttrInfo {
  Managed() {
    static constexpr Spelling SPELLINGS[] = {
        {clang::ParsedAttr::AS_GNU, "gpuexec_managed"}};
    Spellings = SPELLINGS;
  }
  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attr,
                            const clang::Decl *declaration) const override {
    if (const auto *variable = dyn_cast<clang::VarDecl>(declaration);
        variable && variable->hasGlobalStorage())
      return true;
    sema.Diag(attr.getLoc(), clang::diag::err_attribute_wrong_decl_type_str)
        << attr << attr.isRegularKeywordAttribute() << "global variables";
    return false;
  }
  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const clang::ParsedAttr &) const override {
    if (!declaration->hasAttr<clang::HIPManagedAttr>())
      declaration->addAttr(clang::HIPManagedAttr::CreateImplicit(sema.Context));
    if (!declaration->hasAttr<clang::CUDADeviceAttr>())
      declaration->addAttr(clang::CUDADeviceAttr::CreateImplicit(sema.Context));
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<Managed>
    registered("gpuexec-managed", "CUDA's managed variables");

void name_for_ptx(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (StringRef name = variable.getName(); name.consume_back(".managed"))
      variable.setName(name.str() + "__managed");
}

/// The host registers its device code before the constructors of the program,
/// which may use managed variables, and not after them.
void register_first(Module &module) {
  constexpr unsigned FIRST = 101; // of those that are not the implementation's
  auto *list = module.getGlobalVariable("llvm.global_ctors");
  auto *old = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!old)
    return;
  SmallVector<Constant *> entries;
  for (const Use &use : old->operands()) {
    auto *entry = cast<ConstantStruct>(use.get());
    Constant *priority = entry->getOperand(0), *function = entry->getOperand(1);
    if (function->getName().starts_with("__cuda_module_ctor"))
      priority = ConstantInt::get(priority->getType(), FIRST);
    entries.push_back(ConstantStruct::get(entry->getType(), priority, function,
                                          entry->getOperand(2)));
  }
  list->setInitializer(ConstantArray::get(old->getType(), entries));
}

struct ManagedVariables : PassInfoMixin<ManagedVariables> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (module.getTargetTriple().isNVPTX())
      name_for_ptx(module);
    else
      register_first(module);
    return PreservedAnalyses::none();
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuexec-managed", "1",
          [](PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, auto &&...) {
                  passes.addPass(ManagedVariables());
                });
          }};
}
