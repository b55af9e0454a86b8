//===-- toolchain/frontend/allow_c.cpp - All of C on GPUs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang rejects parts of C for NVPTX, and for all GPUs where it compiles OpenMP
// as for a device of a host program (gpucc -fopenmp). This plugin of clang sets
// the target's flags before parsing. toolchain/config/common.cfg loads it.
//   int a[n]       PTX had no dynamic stack. PTX 7.3 added it (alloca,
//                  stacksave, stackrestore), LLVM uses it, and clang accepts
//                  __builtin_alloca.
//   _Thread_local  The backends have none. The pass lower_thread_locals makes
//                  ordinary code of it.
//   threadprivate  clang forbids it in code for devices. Here it is as
//                  _Thread_local.
//   untied         clang would make parts of a task, which submit one another.
//                  Here a task stays with its thread, as OpenMP allows.
// And it mends mistakes of clang 22 in OpenMP for GPUs:
//   - The private copy of a variable refers to the variable, for code in which
//     the copy goes to other threads. Where the variable does, too, clang takes
//     it for the copy: simd reduction(+ : sum) adds to sum twice when a
//     parallel region has it. Here share_variables finds what goes to other
//     threads, and no reference is needed.
//   - A local variable with an allocator is one variable of all threads. Here
//     it is as without: all memory is alike.
// Two more have files of their own, drop_target.cpp and start_scans.cpp; and
// missing_headers.cpp explains errors. At
// another one it says what to write instead: clang crashes at a reduction of
// a static array, structure or complex number, whose address is a constant.
//===----------------------------------------------------------------------===//
#include "drop_target.h"
#include "missing_headers.h"
#include "start_scans.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/RecursiveASTVisitor.h"
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

/// Mends what the parser has made of OpenMP.
class Consumer : public clang::ASTConsumer,
                 public clang::RecursiveASTVisitor<Consumer> {
public:
  Consumer(bool openmp, clang::ASTContext &context)
      : openmp(openmp), context(context),
        unsupported(context.getDiagnostics().getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "clang 22 cannot compile a reduction of the static variable %0 for "
            "a GPU; reduce a local copy of it, or an array by a local pointer: "
            "p = %0, reduction(... : p[:length])")) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *each : group)
      if (openmp)
        TraverseDecl(each);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    variable->dropAttr<clang::OMPReferencedVarAttr>();
    if (const auto *allocated = variable->getAttr<clang::OMPAllocateDeclAttr>())
      if (clang::Expr *alignment = allocated->getAlignment())
        variable->addAttr(clang::AlignedAttr::CreateImplicit(
            variable->getASTContext(), /*IsAlignmentExpr=*/true, alignment));
    variable->dropAttr<clang::OMPAllocateDeclAttr>();
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return !variable || VisitVarDecl(variable);
  }
  bool VisitOMPExecutableDirective(clang::OMPExecutableDirective *directive) {
    // The clauses are the directive's own array.
    for (clang::OMPClause *const &clause : directive->clauses())
      if (llvm::isa_and_nonnull<clang::OMPUntiedClause>(clause))
        const_cast<clang::OMPClause *&>(clause) =
            new (context) clang::OMPMergeableClause(); // without effect
      else if (auto *reduction =
                   llvm::dyn_cast_or_null<clang::OMPReductionClause>(clause))
        for (clang::Expr *item : reduction->varlist())
          if (const clang::VarDecl *variable = static_aggregate(item))
            context.getDiagnostics().Report(item->getExprLoc(), unsupported)
                << variable << item->getSourceRange();
    return true;
  }
  bool VisitOMPLoopDirective(clang::OMPLoopDirective *loop) {
    for (clang::Expr *counter : loop->private_counters())
      TraverseStmt(counter);
    gpuexec::start_scans(*loop, context);
    return true;
  }

private:
  /// The static variable of more than one element that an item of a reduction
  /// clause is or is a part of; null if it is none.
  static const clang::VarDecl *static_aggregate(const clang::Expr *item) {
    while (true) {
      item = item->IgnoreParenImpCasts();
      if (const auto *section = llvm::dyn_cast<clang::ArraySectionExpr>(item))
        item = section->getBase();
      else if (const auto *element =
                   llvm::dyn_cast<clang::ArraySubscriptExpr>(item))
        item = element->getBase();
      else
        break;
    }
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(item);
    const auto *variable =
        reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl())
                  : nullptr;
    return variable && variable->hasGlobalStorage() &&
                   variable->getTLSKind() == clang::VarDecl::TLS_None &&
                   !variable->hasAttr<clang::OMPThreadPrivateDeclAttr>() &&
                   (variable->getType()->isAnyComplexType() ||
                    !variable->getType()->isScalarType())
               ? variable
               : nullptr;
  }

  const bool openmp;
  clang::ASTContext &context;
  const unsigned unsupported; ///< number of a message
};

class AllowC : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    const bool openmp = compiler.getLangOpts().OpenMPIsTargetDevice;
    gpuexec::explain_missing_headers(compiler.getPreprocessor());
    if (openmp || compiler.getTarget().getTriple().isNVPTX())
      Target::allow_all(compiler.getTarget());
    if (openmp) {
      compiler.getDiagnostics().setSeverity(
          clang::diag::err_omp_threadprivate_in_target,
          clang::diag::Severity::Ignored, clang::SourceLocation());
      gpuexec::drop_target(compiler.getPreprocessor());
    }
    return std::make_unique<Consumer>(openmp, compiler.getASTContext());
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
