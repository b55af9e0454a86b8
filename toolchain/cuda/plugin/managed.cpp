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
    sema.Diag(attr.getLoc(), clang::diag::warn_attribute_wrong_decl_type_str)
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

struct NameForPtx : PassInfoMixin<NameForPtx> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!module.getTargetTriple().isNVPTX())
      return PreservedAnalyses::all();
    for (GlobalVariable &variable : module.globals())
      if (StringRef name = variable.getName(); name.consume_back(".managed"))
        variable.setName(name.str() + "__managed");
    return PreservedAnalyses::all();
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuexec-managed", "1",
          [](PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &passes, auto &&...) {
                  passes.addPass(NameForPtx());
                });
          }};
}
