//===-- toolchain/frontend/allow_c.cpp - All of C on GPUs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin of clang, which toolchain/config/common.cfg loads. clang rejects
// parts of C for NVPTX, and for all GPUs when it compiles OpenMP as the device
// code of a host program (gpucc -fopenmp). The plugin sets the target's flags
// before parsing, so that clang accepts:
//   int a[n]       clang believes that PTX has no dynamic stack. PTX 7.3 added
//                  it (alloca, stacksave, stackrestore), LLVM uses it, and
//                  clang accepts __builtin_alloca.
//   _Thread_local  The backends lack it. The pass lower_thread_locals makes
//                  ordinary code of it.
//   threadprivate  clang forbids it in code for devices. Here it means
//                  _Thread_local.
//   throw, try     clang makes a trap of the one and leaves out the handlers of
//                  the other (emit_exceptions.h).
//   virtual calls  clang says at the link which functions of which class a call
//                  may reach (passes/speed/drop_virtual_functions.cpp).
//   untied         clang would split a task into parts that submit each other.
//                  Here a task stays with its thread, as OpenMP allows.
// It also works around bugs of clang 22 in OpenMP for GPUs:
//   - clang gives the private copy of a variable a reference to the variable,
//     for code that shares the copy with other threads. If the variable is
//     shared, too, clang takes it for the copy: simd reduction(+ : sum) in a
//     parallel region adds to sum twice. The plugin removes the reference;
//     share_variables finds out which variables are shared.
//   - clang makes a local variable with an allocator one variable of all
//     threads. The plugin removes the allocator: gpuexec has one kind of
//     memory.
//   - clang crashes at a reduction of a static array, structure or complex
//     number, whose address is a constant. The plugin reports an error that
//     says what to write instead.
// drop_target.cpp, declare_target.cpp, copy_scalars.cpp, start_scans.cpp,
// generic_stack.cpp, list_objects.cpp and wrap_news.cpp work around more bugs,
// and missing_headers.cpp explains errors about headers.
//===----------------------------------------------------------------------===//
#include "copy_scalars.h"
#include "declare_target.h"
#include "drop_target.h"
#include "emit_exceptions.h"
#include "generic_stack.h"
#include "list_objects.h"
#include "missing_headers.h"
#include "start_scans.h"
#include "wrap_news.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace {

/// Sets protected members of TargetInfo.
struct Target : clang::TargetInfo {
  static void allow_all(clang::TargetInfo &target) {
    target.*&Target::VLASupported = true;
    target.*&Target::TLSSupported = true;
  }
};

/// Changes OpenMP's directives and variables in the syntax tree as above.
class Consumer : public clang::ASTConsumer,
                 public clang::DynamicRecursiveASTVisitor {
public:
  Consumer(clang::CompilerInstance &compiler,
           std::shared_ptr<gpuexec::DeclareTarget> declare_target,
           bool wraps_news, clang::TargetInfo *generic_stack)
      : compiler(compiler), openmp(declare_target != nullptr),
        declare_target(std::move(declare_target)), wraps_news(wraps_news),
        generic_stack(generic_stack), context(compiler.getASTContext()),
        unsupported(context.getDiagnostics().getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "clang 22 cannot compile a reduction of the static variable %0 for "
            "a GPU; reduce a local copy of it, or an array by a local pointer: "
            "p = %0, reduction(... : p[:length])")) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *each : group) {
      if (openmp) {
        declare_target->resume(*each);
        gpuexec::copy_scalars(*each, context);
        TraverseDecl(each);
      }
      if (wraps_news)
        gpuexec::wrap_news(*each, context);
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext &) override {
    if (openmp)
      declare_target->end();
    emit_list_of_objects();
    if (generic_stack) // the optimiser, which follows, is to know better
      gpuexec::end_generic_stack(*generic_stack);
  }
  bool VisitVarDecl(clang::VarDecl *variable) override {
    variable->dropAttr<clang::OMPReferencedVarAttr>();
    if (const auto *allocated = variable->getAttr<clang::OMPAllocateDeclAttr>())
      if (clang::Expr *alignment = allocated->getAlignment())
        variable->addAttr(clang::AlignedAttr::CreateImplicit(
            variable->getASTContext(), /*IsAlignmentExpr=*/true, alignment));
    variable->dropAttr<clang::OMPAllocateDeclAttr>();
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) override {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return !variable || VisitVarDecl(variable);
  }
  bool VisitOMPExecutableDirective(
      clang::OMPExecutableDirective *directive) override {
    // clauses() is a view of the directive's own array, so an entry can be
    // replaced.
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
  bool VisitOMPLoopDirective(clang::OMPLoopDirective *loop) override {
    for (clang::Expr *counter : loop->private_counters())
      TraverseStmt(counter);
    gpuexec::start_scans(*loop, context);
    return true;
  }

private:
  /// The static variable, other than a scalar, that an item of a reduction
  /// clause is or is a part of; null if there is none.
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

  void emit_list_of_objects() {
    if (!compiler.getLangOpts().CPlusPlus ||
        !compiler.getTarget().getTriple().isNVPTX() ||
        context.getDiagnostics().hasErrorOccurred())
      return;
    if (clang::FunctionDecl *list = gpuexec::list_objects(context))
      compiler.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(list));
  }

  clang::CompilerInstance &compiler;
  const bool openmp;
  const std::shared_ptr<gpuexec::DeclareTarget> declare_target;
  const bool wraps_news; ///< C++ with exceptions and OpenMP for AMD
  clang::TargetInfo *const generic_stack; ///< may be null
  clang::ASTContext &context;
  const unsigned unsupported; ///< number of clang's custom message
};

/// C++ with exceptions and OpenMP: see emit_exceptions.h.
bool emits_exceptions(clang::CompilerInstance &compiler) {
  return compiler.getLangOpts().OpenMPIsTargetDevice &&
         compiler.getLangOpts().CXXExceptions;
}

/// Undoes what clang does with exceptions where it compiles for a device.
void allow_exceptions(clang::CompilerInstance &compiler) {
  compiler.getLangOpts().Exceptions = true;
  compiler.getLangOpts().CXXExceptions = true;
  clang::Preprocessor &preprocessor = compiler.getPreprocessor();
  preprocessor.setPredefines(preprocessor.getPredefines() +
                             "#define __EXCEPTIONS 1\n"
                             "#define __cpp_exceptions 199711L\n");
  compiler.getDiagnostics().setSeverityForGroup(
      clang::diag::Flavor::WarningOrError, "openmp-target-exception",
      clang::diag::Severity::Ignored);
}

/// Makes clang note at each virtual call, and in each virtual table, what the
/// link needs to know for leaving out functions that no call reaches. Machine
/// code made before the link can keep no notes.
void note_virtual_calls(clang::CodeGenOptions &options) {
  if (!options.PrepareForLTO || options.PrepareForThinLTO)
    return;
  options.LTOUnit = true; // or virtual tables have no notes
  options.WholeProgramVTables = true;
  options.VirtualFunctionElimination = true;
}

class AllowC : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    const bool openmp = compiler.getLangOpts().OpenMPIsTargetDevice;
    std::shared_ptr<gpuexec::DeclareTarget> declare_target;
    gpuexec::explain_missing_headers(compiler.getPreprocessor());
    if (compiler.getLangOpts().CPlusPlus)
      note_virtual_calls(compiler.getCodeGenOpts());
    if (openmp || compiler.getTarget().getTriple().isNVPTX())
      Target::allow_all(compiler.getTarget());
    if (openmp) {
      compiler.getDiagnostics().setSeverity(
          clang::diag::err_omp_threadprivate_in_target,
          clang::diag::Severity::Ignored, clang::SourceLocation());
      declare_target = std::make_shared<gpuexec::DeclareTarget>(compiler);
      gpuexec::drop_target(compiler.getPreprocessor(), declare_target);
      if (exceptions && compiler.getLangOpts().CPlusPlus)
        allow_exceptions(compiler);
    }
    clang::TargetInfo *generic_stack = nullptr;
    if (compiler.getLangOpts().CPlusPlus && !openmp &&
        compiler.getTarget().getTriple().isAMDGPU()) {
      generic_stack = &compiler.getTarget();
      gpuexec::begin_generic_stack(*generic_stack);
    }
    const bool wraps_news = openmp && compiler.getLangOpts().CXXExceptions &&
                            compiler.getTarget().getTriple().isAMDGPU();
    auto consumer = std::make_unique<Consumer>(compiler, declare_target,
                                               wraps_news, generic_stack);
    if (!emits_exceptions(compiler))
      return consumer;
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(std::move(consumer));
    both.push_back(std::make_unique<gpuexec::EmitExceptions>(
        compiler.getLangOpts(), false));
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &arguments) override {
    exceptions = llvm::is_contained(arguments, "exceptions");
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool exceptions = false; ///< clang forgets that it was told with OpenMP
};

/// Behind clang's own consumer.
class EndExceptions : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    if (!emits_exceptions(compiler))
      return std::make_unique<clang::ASTConsumer>();
    return std::make_unique<gpuexec::EmitExceptions>(compiler.getLangOpts(),
                                                     true);
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddAfterMainAction; }
};

clang::FrontendPluginRegistry::Add<EndExceptions>
    registered_end("gpuexec-exceptions", "throw with OpenMP");
clang::FrontendPluginRegistry::Add<AllowC> registered("gpuexec-c",
                                                      "all of C on GPUs");

} // namespace
