//===-- toolchain/frontend/allow_vlas.cpp - int a[n] on NVIDIA's GPUs -----===//
// clang refuses arrays of variable length for NVPTX, from the time when PTX had
// no stack that grows. PTX has had one since 7.3 (alloca, stacksave,
// stackrestore), LLVM makes use of it, and __builtin_alloca is let through. So
// this plugin of clang's says that the target has them, before anything is
// parsed. toolchain/config/nvptx64-nvidia-cuda.cfg loads it.
//===----------------------------------------------------------------------===//
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

/// What a target says of itself is for classes that derive from it to change.
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
