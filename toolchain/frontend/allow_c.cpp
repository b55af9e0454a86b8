//===-- toolchain/frontend/allow_c.cpp - All of C on GPUs -----------------===//
// clang rejects parts of C for NVPTX, and for all GPUs where it compiles OpenMP
// as for a device of a host program (gpucc -fopenmp). This plugin of clang sets
// the target's flags before parsing. toolchain/config/nvptx64-nvidia-cuda.cfg
// and gpucc -fopenmp load it.
//   int a[n]       PTX had no dynamic stack. PTX 7.3 added it (alloca,
//                  stacksave, stackrestore), LLVM uses it, and clang accepts
//                  __builtin_alloca.
//   _Thread_local  The backends have none. The pass lower_thread_locals makes
//                  ordinary code of it.
//   threadprivate  clang forbids it in code for devices. Here it is as
//                  _Thread_local.
//===----------------------------------------------------------------------===//
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
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
    const bool openmp = compiler.getLangOpts().OpenMPIsTargetDevice;
    if (openmp || compiler.getTarget().getTriple().isNVPTX())
      Target::allow_all(compiler.getTarget());
    if (openmp)
      compiler.getDiagnostics().setSeverity(
          clang::diag::err_omp_threadprivate_in_target,
          clang::diag::Severity::Ignored, clang::SourceLocation());
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AllowC> registered("gpuexec-c",
                                                      "all of C on GPUs");

} // namespace
