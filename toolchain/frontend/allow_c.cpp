//===-- toolchain/frontend/allow_c.cpp - All of C on NVIDIA's GPUs --------===//
// clang rejects two parts of C for NVPTX. This plugin of clang sets the
// target's flags before parsing. toolchain/config/nvptx64-nvidia-cuda.cfg loads
// it.
//   int a[n]       PTX had no dynamic stack. PTX 7.3 added it (alloca,
//                  stacksave, stackrestore), LLVM uses it, and clang accepts
//                  __builtin_alloca.
//   _Thread_local  The backend has none. The pass lower_thread_locals makes
//                  ordinary code of it.
//===----------------------------------------------------------------------===//
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

/// Gives access to protected members of TargetInfo.
struct Target : clang::TargetInfo {
  static void allow_all(clang::TargetInfo &target) {
    target.*&Target::VLASupported = true;
    target.*&Target::TLSSupported = true;
  }
};

class AllowC : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    if (compiler.getTarget().getTriple().isNVPTX())
      Target::allow_all(compiler.getTarget());
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AllowC>
    registered("gpuexec-c", "all of C on NVIDIA's GPUs");

} // namespace
