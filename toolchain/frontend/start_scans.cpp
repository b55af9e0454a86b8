//===-- toolchain/frontend/start_scans.cpp - reduction(inscan) ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang executes a loop with reduction(inscan) twice. Each iteration has a
// private copy of the variable, which begins with the neutral value. The first
// execution records the copies after the input phase, and the records are
// summed up; in the second execution the scan phase reads the sums. clang 22
// forgets the value that the variable has before the loop. Here the copy of the
// first iteration begins with that value in both executions, so it is in every
// sum. For `simd` alone clang makes no records and is right.
//===----------------------------------------------------------------------===//
#include "start_scans.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace {

/// An expression that loads the variable.
Expr *value_of(Expr *variable, ASTContext &context) {
  return ImplicitCastExpr::Create(
      context, variable->getType().getUnqualifiedType(), CK_LValueToRValue,
      variable, nullptr, VK_PRValue, FPOptionsOverride());
}

/// The expression `iteration == 0`.
Expr *is_first(Expr *iteration, ASTContext &context) {
  const QualType type = iteration->getType().getUnqualifiedType();
  Expr *zero = IntegerLiteral::Create(
      context, llvm::APInt(unsigned(context.getTypeSize(type)), 0), type,
      SourceLocation());
  return BinaryOperator::Create(context, value_of(iteration, context), zero,
                                BO_EQ, context.IntTy, VK_PRValue, OK_Ordinary,
                                SourceLocation(), FPOptionsOverride());
}

/// The variable that an expression names, or null if it is another expression.
const VarDecl *named_variable(const Expr *item) {
  const auto *reference = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts());
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

class Scan {
public:
  Scan(OMPLoopDirective &loop, ASTContext &context)
      : loop(loop), context(context) {}

  /// Excludes the arrays of records from debug information. On GPUs the runtime
  /// allocates them, so they have no address of a variable, and clang 22 would
  /// crash.
  void hide_records(OMPReductionClause &clause) {
    for (Expr *array : clause.copy_array_temps())
      if (auto *reference = dyn_cast_or_null<DeclRefExpr>(array))
        reference->getDecl()->addAttr(NoDebugAttr::CreateImplicit(context));
  }

  /// Changes the initial value of each variable's copy, or reports that clang
  /// would make wrong code for the variable.
  void start(OMPReductionClause &clause) {
    const bool alone = !isOpenMPParallelDirective(loop.getDirectiveKind());
    for (auto [item, copy] :
         llvm::zip_equal(clause.varlist(), clause.privates())) {
      const VarDecl *variable = named_variable(item);
      auto *reference = dyn_cast_or_null<DeclRefExpr>(copy);
      auto *own = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      if (alone)
        report(DiagnosticsEngine::Error, item,
               "clang 22 cannot compile reduction(inscan) of a loop inside a "
               "parallel region: each thread would sum up alone; write "
               "'parallel for'");
      else if (variable && variable->hasGlobalStorage())
        report(DiagnosticsEngine::Error, item,
               "clang 22 cannot compile reduction(inscan) of a static "
               "variable: the loop would change the variable itself; reduce a "
               "local copy of it");
      else if (own && own->getInit() && own->getType()->isScalarType())
        begin_with(*own, item);
      else
        report(DiagnosticsEngine::Warning, item,
               "clang 22 loses the value from before a loop of "
               "reduction(inscan) unless it is a number; add it to the first "
               "iteration");
    }
  }

private:
  template <unsigned N>
  void report(DiagnosticsEngine::Level level, const Expr *item,
              const char (&message)[N]) {
    DiagnosticsEngine &diagnostics = context.getDiagnostics();
    diagnostics.Report(item->getExprLoc(),
                       diagnostics.getCustomDiagID(level, message))
        << item->getSourceRange();
  }

  /// Gives the copy `own` the initial value of `item` in the first iteration.
  void begin_with(VarDecl &own, Expr *item) {
    const QualType type = own.getType().getUnqualifiedType();
    own.setInit(new (context) ConditionalOperator(
        is_first(loop.getIterationVariable(), context), SourceLocation(),
        value_of(item, context), SourceLocation(), own.getInit(), type,
        VK_PRValue, OK_Ordinary));
  }

  OMPLoopDirective &loop;
  ASTContext &context;
};

} // namespace

void gpuexec::start_scans(OMPLoopDirective &loop, ASTContext &context) {
  if (loop.getDirectiveKind() == llvm::omp::OMPD_simd)
    return;
  for (auto *clause : loop.getClausesOfKind<OMPReductionClause>())
    if (clause->getModifier() == OMPC_REDUCTION_inscan) {
      Scan scan(loop, context);
      scan.hide_records(*const_cast<OMPReductionClause *>(clause));
      scan.start(*const_cast<OMPReductionClause *>(clause));
    }
}
