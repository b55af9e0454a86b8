//===-- toolchain/frontend/allow_vlas.cpp - int a[n] on NVIDIA's GPUs -----===//
// clang rejects arrays of variable length for NVPTX, because PTX had no dynamic
// stack. PTX 7.3 added it (alloca, stacksave, stackrestore), LLVM uses it, and
// clang accepts __builtin_alloca. This plugin of clang sets the target's flag
// before parsing. toolchain/config/nvptx64-nvidia-cuda.cfg loads it.
//===----------------------------------------------------------------------===//
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

/// Gives access to a protected member of TargetInfo.
struct Target : clang::TargetInfo {
  static void allow_vlas(clang::TargetInfo &target) {
    target.*&Target::VLASupported = true;
  }
};

class AllowVlas : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    if (compiler.getTarget().getTriple().isNVPTX())
      Target::allow_vlas(compiler.getTarget());
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AllowVlas>
    registered("gpuexec-vla", "arrays of variable length on NVIDIA's GPUs");

} // namespace
